import type { Pod } from './index.ts';

const MIRROR = 'kubernetes.io/config.mirror';

/** Whether the pod only mirrors a static pod, which the kubelet runs from a file on its node: deleting the mirror changes nothing there. */
export const isMirrorPod = ({ metadata }: Pod): boolean => metadata.annotations?.[MIRROR] !== undefined;

/** Whether all its containers have ended for good. */
export const isFinishedPod = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';
