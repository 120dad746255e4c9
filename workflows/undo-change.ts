import { ConfigMap, Node } from '../src/api/builtin/index.ts';
import type { KubeObject } from '../src/api/meta.ts';
import type { Resource } from '../src/api/resource.ts';
import { lastUndoRecord, type UndoRecord } from '../src/api/undo-record.ts';
import { hasCode } from '../src/base/index.ts';
import type { KubeClient } from '../src/kube/client/client.ts';
import { given, type Environment } from './environment.ts';
import { notMet } from './refusal.ts';
import { workflows } from './registry.ts';
import { nameOf, targetOf, type Target } from './target.ts';
import type { How, Workflow } from './workflow.ts';
import { WORKLOAD_KINDS, workloadOf } from './workloads.ts';

const OTHERS: readonly Resource[] = [ConfigMap, Node];
const KINDS = [...WORKLOAD_KINDS, ...OTHERS.map(({ kind }) => kind)];

/** Names the run whose change is undone; any run when absent. */
const OF = 'UNDO_EXECUTION';
/** The name of an undo that a person runs without naming it. */
const BY_HAND = 'undo-of-';

/**
 * The workflow in undo mode: undoes the latest change that it made to the target, by the undo record on the target, once. It does not undo a change
 * by another workflow, nor by another run than UNDO_EXECUTION names.
 */
export const undoChange =
  (name: string): Workflow =>
  async (client, env, how) => {
    if (name === 'delete-stuck-pod') throw notMet('a deleted pod cannot be restored; its controller has recreated it');
    const target = targetOf(env, KINDS);
    const record = recordOn(await read(client, target), target);
    const what = nameOf(target);
    if (isOurs(record, env)) return `${what} was already ${record.did} by ${record.execution}`;
    const objection = objectionTo(name, record, given(env, OF));
    if (objection !== undefined) throw notMet(`nothing is undone on ${what}: ${objection}`);
    return runUndo(client, env, record, how);
  };

/** An undo writes a record too; following that one would repeat the original change. */
const isOurs = ({ execution }: UndoRecord, env: Environment): boolean =>
  execution !== undefined && (execution === given(env, 'WORKFLOW_EXECUTION') || execution.startsWith(BY_HAND));

function objectionTo(name: string, { workflow, execution = '(by hand)', did, undo }: UndoRecord, meant = execution): string | undefined {
  if (workflow !== name) return `the latest change is by ${workflow} (${did}); undo that first`;
  if (meant !== execution) return `the latest change is by ${execution} (${did}), not by ${meant}; undo that first`;
  return 'none' in undo ? `it was ${did}, and ${undo.none}` : undefined;
}

/** An undo is a change like any other; only its target comes from the environment. */
async function runUndo(client: KubeClient, env: Environment, { undo, execution }: UndoRecord, how?: How): Promise<string> {
  const { workflow, parameters } = { workflow: '', parameters: {}, ...undo };
  const run = Object.hasOwn(workflows, workflow) ? workflows[workflow] : undefined;
  if (!run) throw notMet(`the record names the workflow ${JSON.stringify(workflow)}, which is not in this library`);
  const told = Object.entries(env).filter(([name]) => name.startsWith('TARGET_'));
  const own = given(env, 'WORKFLOW_EXECUTION') ?? `${BY_HAND}${execution ?? 'a-run-by-hand'}`;
  return run(client, { ...Object.fromEntries(told), WORKFLOW_EXECUTION: own, ...parameters }, how);
}

async function read(client: KubeClient, target: Target): Promise<KubeObject> {
  const { kind } = target;
  const resource = OTHERS.find((known) => known.kind === kind) ?? workloadOf(kind);
  try {
    return await client.get(resource, target);
  } catch (error) {
    throw hasCode(error, 'NotFound') ? notMet(`nothing is undone on ${nameOf(target)}: it does not exist`) : error;
  }
}

function recordOn(object: KubeObject, target: Target): UndoRecord {
  const record = lastUndoRecord(object);
  if (!record) throw notMet(`nothing is undone on ${nameOf(target)}: it has no undo record`);
  return record;
}
