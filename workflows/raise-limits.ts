import { carryOut } from './change.ts';
import { given, numberWithin, required, shaped, type Environment } from './environment.ts';
import { planLimits, type Limited, type LimitsOrder } from './plan-limits.ts';
import { thousandths } from '../src/base/quantity.ts';
import { invalidParameter } from './refusal.ts';
import { targetOf } from './target.ts';
import type { Workflow } from './workflow.ts';
import { WORKLOAD_KINDS, workloadOf } from './workloads.ts';

const FACTOR = { least: 1.1, most: 4, usual: 1.5 } as const;
const RESTORE = /^[a-z0-9=.,A-Z-]{1,253}$/;

/** What differs between the two workflows that raise limits. */
export interface RaiseLimits {
  readonly of: Limited;
  readonly workflow: string;
  /** The most that a limit is raised to when MAX_LIMIT says nothing. */
  readonly cap: string;
}

/** A workflow that raises the limits of one or all containers of a workload. */
export const raiseLimits =
  ({ of, workflow, cap }: RaiseLimits): Workflow =>
  async (client, env, how) => {
    const target = targetOf(env, WORKLOAD_KINDS);
    const order: LimitsOrder = { of, workflow, container: given(env, 'CONTAINER'), to: aimOf(env, cap) };
    return carryOut({
      client,
      resource: workloadOf(target.kind),
      target,
      workflow,
      done: `given higher ${of} limits`,
      how,
      plan: (workload) => planLimits(workload, order),
    });
  };

function aimOf(env: Environment, cap: string): LimitsOrder['to'] {
  const told = ['FACTOR', 'LIMIT', 'RESTORE'].filter((name) => given(env, name) !== undefined);
  if (told.length > 1) throw invalidParameter(`${told.join(' and ')} are both set; give one of them`);
  const restore = shaped(env, 'RESTORE', RESTORE);
  if (restore !== undefined) return { kind: 'restore', limits: new Map(restore.split(',').map(pair)) };
  const most = given(env, 'MAX_LIMIT') ?? cap;
  const limit = given(env, 'LIMIT');
  if (limit === undefined) {
    // Raising by a factor twice raises twice: only the name of the run tells a retry from a second request.
    required(env, 'WORKFLOW_EXECUTION');
    amount('MAX_LIMIT', most);
    return { kind: 'factor', factor: numberWithin(env, 'FACTOR', FACTOR) ?? FACTOR.usual, most };
  }
  if (amount('LIMIT', limit) > amount('MAX_LIMIT', most)) throw invalidParameter(`LIMIT is ${limit}, more than MAX_LIMIT (${most})`);
  return { kind: 'value', value: limit };
}

function pair(text: string): readonly [string, string] {
  const [container = '', limit = '', ...rest] = text.split('=');
  if (container === '' || rest.length > 0) throw invalidParameter(`RESTORE has ${JSON.stringify(text)}; it must be CONTAINER=LIMIT,…`);
  amount('RESTORE', limit);
  return [container, limit];
}

function amount(name: string, text: string): bigint {
  const value = thousandths(text);
  if (value === undefined || value === 0n)
    throw invalidParameter(`${name} is ${JSON.stringify(text)}; it must be an amount such as 512Mi or 500m`);
  return value;
}
