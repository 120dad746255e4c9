import type { Pod } from '../src/api/builtin/index.ts';

const MIRROR = 'kubernetes.io/config.mirror';

/** Whether the pod only shows what a node runs from a file of its own: deleting it changes nothing there. */
export const isMirror = ({ metadata }: Pod): boolean => metadata.annotations?.[MIRROR] !== undefined;

/** Whether all its containers have ended for good. */
export const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** `shop/web-1`. */
export const podName = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;
