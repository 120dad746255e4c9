import type { Pod } from '../src/api/builtin/index.ts';

const MIRROR = 'kubernetes.io/config.mirror';

/** Whether it is the mirror of a static pod: deleting it changes nothing. */
export const isMirror = ({ metadata }: Pod): boolean => metadata.annotations?.[MIRROR] !== undefined;

/** Whether all its containers have ended for good. */
export const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** `shop/web-1`. */
export const podName = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;
