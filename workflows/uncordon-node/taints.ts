import type { Node } from '../../src/api/builtin/index.ts';

/** A taint without the time that it was set at. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

const FORM = /^([A-Za-z0-9./_-]+)(?:=([A-Za-z0-9._-]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/;

/** Taints that the cluster itself sets and removes, by the conditions and the role of the node. */
const OF_THE_CLUSTER = /^(node\.kubernetes\.io|node-role\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io)\//;

export const isOfTheCluster = (key: string): boolean => OF_THE_CLUSTER.test(key);

/** As kubectl writes it: `dedicated=gpu:NoSchedule`. */
export const taintText = ({ key, value, effect }: Taint): string => `${key}${value ? `=${value}` : ''}:${effect}`;

/** Reads what `taintText` wrote; undefined when it is no taint. */
export function parseTaint(text: string): Taint | undefined {
  const [found, key = '', value, effect = ''] = FORM.exec(text) ?? [];
  if (found === undefined) return undefined;
  return { key, ...(value ? { value } : {}), effect };
}

export const taintsOf = ({ spec }: Node): readonly Taint[] => spec?.taints ?? [];

/** A node has at most one taint of a key and an effect. */
export const isSameTaint = (one: Taint, other: Taint): boolean => one.key === other.key && one.effect === other.effect;
