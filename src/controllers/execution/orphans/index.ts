/**
 * Locks and held runs that arrive when their execution is gone: a process sent them, stood still or was cut off, and no execution is left to
 * delete them. One controller for each kind of them; `decide-orphan.ts` says which of them are deleted.
 */
import { Lease } from '../../../api/builtin/index.ts';
import type { Resource } from '../../../api/resource.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Controller, Watch } from '../../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../../settings.ts';
import { RUN_ENGINES } from '../engines/index.ts';
import { OURS } from '../names.ts';
import { BY_EXECUTION, byExecution } from '../run/run-finished.ts';
import { decideOrphan, type ObservedOrphan } from './decide-orphan.ts';
import { BY_UID, observeOrphan } from './observe-orphan.ts';

/** Deletes orphans that arrived after their execution was gone: locks, and runs of each engine. */
export const createOrphanControllers = (settings: SettingsSource): readonly Controller[] =>
  [
    orphanController(Lease, settings, false),
    ...RUN_ENGINES.map(({ resource, definition }) => orphanController(resource, settings, definition !== undefined)),
  ] as readonly Controller[];

const uidIndex = { [BY_UID]: ({ metadata }: WorkflowExecution): readonly string[] => [metadata.uid] };

function orphanController(resource: Resource, settings: SettingsSource, isOptional: boolean): Controller<ObservedOrphan> {
  const { namespace, executionNamespace } = settings();
  const strays: Watch = {
    resource,
    namespace: executionNamespace,
    labelSelector: OURS,
    isOptional,
    indexes: byExecution,
    keys: () => [],
  };
  const executions: Watch<WorkflowExecution> = {
    resource: WorkflowExecution,
    namespace,
    indexes: uidIndex,
    keys: ({ metadata }, related) => related(resource, { index: BY_EXECUTION, value: metadata.uid }),
    // Only that it goes matters.
    concerns: () => false,
  };
  return {
    name: `stray-${resource.plural}`,
    primary: resource,
    watches: [strays, executions] as readonly Watch[],
    observe: (key, reader) => observeOrphan(resource, key, reader, namespace),
    decide: decideOrphan,
  };
}
