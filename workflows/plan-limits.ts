import type { Container } from '../src/api/builtin/index.ts';
import { assertNever } from '../src/base/index.ts';
import type { JsonPatchOperation } from '../src/kube/client/client.ts';
import type { Plan } from './change.ts';
import { pointer } from './pointer.ts';
import { cpuText, memoryText, thousandths, times } from '../src/base/quantity.ts';
import { notMet } from './refusal.ts';
import { rolloutObjection, type Workload } from './workloads.ts';

/** What a limit is of. */
export type Limited = 'memory' | 'cpu';

/** Which limits are raised, and how. */
export interface LimitsOrder {
  readonly of: Limited;
  readonly workflow: string;
  /** All containers that have a limit when absent. */
  readonly container?: string | undefined;
  readonly to:
    | { readonly kind: 'factor'; readonly factor: number; readonly most: string }
    | { readonly kind: 'value'; readonly value: string }
    /** The limits by container, as an earlier run found them: its undo. */
    | { readonly kind: 'restore'; readonly limits: ReadonlyMap<string, string> };
}

interface Step {
  readonly index: number;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** A parameter cannot be longer. */
const LONGEST_UNDO = 253;

/** How the limits of a workload's containers are raised, or restored. Never below what a container requests. */
export function planLimits(workload: Workload, order: LimitsOrder): Plan {
  const objection = rolloutObjection(workload);
  if (objection !== undefined) return { kind: 'refused', why: objection };
  const { containers } = workload.spec.template.spec;
  const stranger = namedBy(order).find((wanted) => !containers.some(({ name }) => name === wanted));
  if (stranger !== undefined)
    return { kind: 'refused', why: `it has no container ${stranger}, only ${containers.map(({ name }) => name).join(', ')}` };
  const limited = containers.filter((container) => isMeant(container, order) && container.resources?.limits?.[order.of] !== undefined);
  if (limited.length === 0)
    return { kind: 'refused', why: `none of the selected containers has a ${order.of} limit, so there is none to raise` };
  const steps = limited.flatMap((container) => stepFor(container, containers.indexOf(container), order));
  return steps.length === 0 ? noStep(order, limited) : change(order, steps);
}

const namedBy = ({ container, to }: LimitsOrder): readonly string[] =>
  to.kind === 'restore' ? [...to.limits.keys()] : container === undefined ? [] : [container];

const isMeant = ({ name }: Container, { container, to }: LimitsOrder): boolean =>
  to.kind === 'restore' ? to.limits.has(name) : container === undefined || container === name;

function noStep({ of, to }: LimitsOrder, containers: readonly Container[]): Plan {
  const limits = containers.map(({ name, resources }) => `${name} ${resources?.limits?.[of]}`).join(', ');
  return to.kind === 'factor'
    ? { kind: 'refused', why: `its ${of} limits have reached MAX_LIMIT (${to.most}): ${limits}` }
    : { kind: 'already', why: `already has these ${of} limits: ${limits}` };
}

function change({ of, to, workflow }: LimitsOrder, steps: readonly Step[]): Plan {
  const RESTORE = steps.map(({ name, before }) => `${name}=${before}`).join(',');
  if (RESTORE.length > LONGEST_UNDO) return { kind: 'refused', why: 'the undo record would be too long; name one CONTAINER' };
  const verb = to.kind === 'restore' ? 'given back' : 'given higher';
  return {
    kind: 'change',
    operations: steps.map(({ index, after }): JsonPatchOperation => ({
      op: 'replace',
      path: pointer('spec', 'template', 'spec', 'containers', index, 'resources', 'limits', of),
      value: after,
    })),
    did: `${verb} ${of} limits: ${steps.map(({ name, before, after }) => `${name} ${before} → ${after}`).join(', ')}`,
    undo: { workflow, parameters: { RESTORE } },
  };
}

function stepFor(container: Container, index: number, order: LimitsOrder): readonly Step[] {
  const { name, resources } = container;
  const before = String(resources?.limits?.[order.of]);
  const amount = amountOf(before, name);
  const after = wantedText(name, amount, order);
  const wanted = amountOf(after, name);
  if (wanted === amount || (order.to.kind !== 'restore' && wanted < amount)) return [];
  const request = resources?.requests?.[order.of];
  if (request !== undefined && wanted < amountOf(String(request), name))
    throw notMet(`container ${name} requests ${request} of ${order.of}, more than the limit ${after}`);
  return [{ index, name, before, after }];
}

function wantedText(name: string, amount: bigint, { of, to }: LimitsOrder): string {
  switch (to.kind) {
    case 'restore':
      return to.limits.get(name) ?? '';
    case 'value':
      return to.value;
    case 'factor': {
      const raised = times(amount, to.factor);
      return raised >= (thousandths(to.most) ?? 0n) ? to.most : of === 'memory' ? memoryText(raised) : cpuText(raised);
    }
    default:
      return assertNever(to);
  }
}

function amountOf(text: string, container: string): bigint {
  const amount = thousandths(text);
  if (amount === undefined)
    throw notMet(`container ${container} has ${JSON.stringify(text)}, which is not a quantity that this workflow can read`);
  return amount;
}
