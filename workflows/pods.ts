import type { Pod } from '../src/api/builtin/index.ts';

/** `shop/web-1`. */
export const podName = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;
