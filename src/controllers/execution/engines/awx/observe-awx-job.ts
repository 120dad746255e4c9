import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import type { Reader } from '../../../../runtime/reconcile/controller.ts';
import type { Settings } from '../../../settings.ts';
import { dependenciesOf, readCatalogue, resolve } from '../../catalogue/index.ts';
import { NOT_READ, type NotRead } from '../../observed-execution.ts';
import { hasFinalizer, readLaunched, readLeftovers, readBeforeLaunch, type AwxConnection, type ObservedAwx } from './index.ts';

export interface AwxReadContext {
  readonly object: WorkflowExecution;
  readonly reader: Reader;
  readonly settings: Settings;
  readonly door?: AwxConnection | undefined;
}

const NO_DOOR: ObservedAwx = { kind: 'unreadable', reason: 'this process has no connection to AWX' };

/** Before the launch, for a plan that leaves nothing open. */
export function observeBeforeLaunch(
  { door, ...look }: AwxReadContext,
  plan: WorkflowExecution['spec'],
): Promise<ObservedAwx> | ObservedAwx | NotRead {
  if (plan.workflowRef.executionEngine !== 'ansible') return NOT_READ;
  return door ? readBeforeLaunch({ ...look, door, plan }) : NO_DOOR;
}

/** While it runs. */
export async function observeLaunched({ door, ...look }: AwxReadContext): Promise<ObservedAwx> {
  if (!door) return NO_DOOR;
  return readLaunched({ ...look, door, secrets: await secretsOf(look) });
}

/** When it is over, as long as something of it may be left there. */
export function observeAfterEnd({ door, ...look }: AwxReadContext): Promise<ObservedAwx> | ObservedAwx | NotRead {
  if (!hasFinalizer(look.object)) return NOT_READ;
  return door ? readLeftovers({ ...look, door }) : NO_DOOR;
}

/** Names of the Secrets that its playbook was given; undefined when that is no longer known. */
async function secretsOf({ object, reader }: AwxReadContext): Promise<readonly string[] | undefined> {
  const resolution = resolve(object, await readCatalogue(reader, object, false));
  const isKnownReason = object.spec.workflowRef.dependencies !== undefined;
  if (resolution.kind !== 'Resolved' && !isKnownReason) return undefined;
  const plan = resolution.kind === 'Resolved' ? resolution.spec : object.spec;
  return dependenciesOf(plan).flatMap(({ kind, name }) => (kind === 'Secret' ? [name] : []));
}
