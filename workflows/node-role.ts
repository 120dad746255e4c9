import type { Node } from '../src/api/builtin/index.ts';

const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** Whether the cluster itself runs on the node. */
export const isControlPlane = ({ metadata, spec }: Node): boolean =>
  CONTROL_PLANE.some((role) => metadata.labels?.[role] !== undefined || (spec?.taints ?? []).some(({ key }) => key === role));
