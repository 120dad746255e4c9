import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import type { Reader } from '../../../../runtime/reconcile/controller.ts';
import type { Settings } from '../../../settings.ts';
import { dependenciesOf, readCatalogue, resolve } from '../../catalogue/index.ts';
import { NOT_READ, type NotRead } from '../../observed-execution.ts';
import { hasFinalizer, observeProgress, observeRemains, observeStart, type AwxDoor, type SeenAwx } from './index.ts';

export interface AwxQuestion {
  readonly object: WorkflowExecution;
  readonly reader: Reader;
  readonly settings: Settings;
  readonly door?: AwxDoor | undefined;
}

const NO_DOOR: SeenAwx = { kind: 'unreadable', reason: 'there is no way to AWX from here' };

/** Before the launch, for a plan that leaves nothing open. */
export function lookBefore({ door, ...look }: AwxQuestion, plan: WorkflowExecution['spec']): Promise<SeenAwx> | SeenAwx | NotRead {
  if (plan.workflowRef.executionEngine !== 'ansible') return NOT_READ;
  return door ? observeStart({ ...look, door, plan }) : NO_DOOR;
}

/** While it runs. */
export async function lookDuring({ door, ...look }: AwxQuestion): Promise<SeenAwx> {
  if (!door) return NO_DOOR;
  return observeProgress({ ...look, door, secrets: await secretsOf(look) });
}

/** When it is over, as long as something of it may be left there. */
export function lookAfter({ door, ...look }: AwxQuestion): Promise<SeenAwx> | SeenAwx | NotRead {
  if (!hasFinalizer(look.object)) return NOT_READ;
  return door ? observeRemains({ ...look, door }) : NO_DOOR;
}

/** Names of the Secrets that its playbook was given; undefined when nobody can tell any more. */
async function secretsOf({ object, reader }: AwxQuestion): Promise<readonly string[] | undefined> {
  const resolution = resolve(object, await readCatalogue(reader, object, false));
  const isTold = object.spec.workflowRef.dependencies !== undefined;
  if (resolution.kind !== 'Resolved' && !isTold) return undefined;
  const plan = resolution.kind === 'Resolved' ? resolution.spec : object.spec;
  return dependenciesOf(plan).flatMap(({ kind, name }) => (kind === 'Secret' ? [name] : []));
}
