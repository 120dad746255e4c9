import type { Node } from '../../src/api/builtin/index.ts';
import type { JsonPatchOperation } from '../../src/kube/client/client.ts';
import type { Plan } from '../change.ts';
import { isSameTaint, taintsOf, taintText, type Taint } from './taints.ts';

/** Which taint is removed. */
export interface TaintChoice {
  readonly key: string;
  /** Every effect when absent. */
  readonly effect?: string | undefined;
}

/** How the node is changed. */
export type OpenOrder =
  | { readonly kind: 'open'; readonly uncordon: boolean; readonly taint?: TaintChoice }
  /** The undo of an earlier run; its taints have one key. */
  | { readonly kind: 'close'; readonly cordon: boolean; readonly taints: readonly Taint[] };

/** Stands for a cordon in RESTORE; no taint is written like this. */
export const CORDON = 'cordon';

/** One step: the operation, and its description. */
interface Step {
  readonly operation: JsonPatchOperation;
  readonly did: string;
}

/** How the node is uncordoned, or restored as it was. */
export const planNode = (node: Node, order: OpenOrder): Plan => (order.kind === 'open' ? planOpen(node, order) : planClose(node, order));

function planOpen(node: Node, { uncordon, taint }: Extract<OpenOrder, { kind: 'open' }>): Plan {
  const ready = readinessOf(node);
  if (ready !== 'True') return { kind: 'refused', why: `its condition Ready is ${ready}: pods would not run there` };
  const gone = taint ? taintsOf(node).filter((one) => isChosen(one, taint)) : [];
  const cordon = uncordon && isCordoned(node) ? [CORDON] : [];
  const kept = taintsOf(node).filter((one) => !gone.includes(one));
  const steps: readonly Step[] = [
    ...cordon.map((): Step => ({ operation: { op: 'remove', path: '/spec/unschedulable' }, did: 'uncordoned' })),
    ...(gone.length > 0 ? [{ operation: setTaints(kept), did: `freed of the taint ${gone.map(taintText).join(', ')}` }] : []),
  ];
  if (steps.length === 0) return { kind: 'already', why: alreadyOpen(uncordon, taint?.key) };
  return changeBy(steps, { RESTORE: [...cordon, ...gone.map(taintText)].join(',') });
}

function planClose(node: Node, { cordon, taints }: Extract<OpenOrder, { kind: 'close' }>): Plan {
  const missing = taints.filter((taint) => !taintsOf(node).some((one) => isSameTaint(one, taint)));
  const isOpen = cordon && !isCordoned(node);
  const all = [...taintsOf(node), ...missing];
  const steps: readonly Step[] = [
    ...(isOpen ? [{ operation: { op: 'add', path: '/spec/unschedulable', value: true } as const, did: 'cordoned' }] : []),
    ...(missing.length > 0 ? [{ operation: setTaints(all), did: `given the taint ${missing.map(taintText).join(', ')}` }] : []),
  ];
  if (steps.length === 0) return { kind: 'already', why: 'is already cordoned and tainted as it was' };
  return changeBy(steps, { UNCORDON: String(isOpen), ...keyOfAll(missing) });
}

const changeBy = (steps: readonly Step[], parameters: Readonly<Record<string, string>>): Plan => ({
  kind: 'change',
  operations: steps.map(({ operation }) => operation),
  did: steps.map(({ did }) => did).join(' and '),
  undo: { workflow: 'uncordon-node', parameters },
});

const readinessOf = ({ status }: Node): string => (status?.conditions ?? []).find(({ type }) => type === 'Ready')?.status ?? 'Unknown';

const isCordoned = ({ spec }: Node): boolean => spec?.unschedulable === true;

const isChosen = (taint: Taint, { key, effect = taint.effect }: TaintChoice): boolean => taint.key === key && taint.effect === effect;

const alreadyOpen = (uncordon: boolean, key: string | undefined): string =>
  [...(uncordon ? ['is not cordoned'] : []), ...(key === undefined ? [] : [`has no taint ${key}`])].join(' and ');

/** The effect distinguishes taints of one key, if there is one. */
const keyOfAll = ([first, ...rest]: readonly Taint[]): Readonly<Record<string, string>> =>
  first ? { TAINT_KEY: first.key, ...(rest.length > 0 ? {} : { TAINT_EFFECT: first.effect }) } : {};

const setTaints = (taints: readonly Taint[]): JsonPatchOperation =>
  taints.length > 0 ? { op: 'add', path: '/spec/taints', value: taints } : { op: 'remove', path: '/spec/taints' };
