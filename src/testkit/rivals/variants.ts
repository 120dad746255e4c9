import { Job, Lease } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { jobDraft } from '../../controllers/execution/engines/job/job-draft.ts';
import { createExecutionController, type ObservedExecution } from '../../controllers/execution/index.ts';
import { executionUidOf } from '../../controllers/execution/names.ts';
import type { DeletedExecution } from '../../controllers/execution/observed-execution.ts';
import type { Controller, Decision, Read, Reader } from '../../runtime/reconcile/controller.ts';
import { SETTINGS } from './settings.ts';

/** Execution controllers with one mistake each; the simulation has to catch every one. */
export type Mistake = (right: Controller<ObservedExecution>) => Controller<ObservedExecution>;

const isBeingDeleted = ({ object }: ObservedExecution): boolean => object.metadata.deletionTimestamp !== undefined;

/** Sees one thing otherwise than it is, when an execution is being deleted. */
const deluded =
  (see: (seen: ObservedExecution) => Partial<DeletedExecution>): Mistake =>
  (right) => ({
    ...right,
    decide: (seen, now) => right.decide(isBeingDeleted(seen) ? ({ ...seen, ...see(seen) } as ObservedExecution) : seen, now),
  });

/** Takes every deletion for a person's word about the target. */
const believesDeletions: Mistake = deluded(({ object }) => {
  const { name = '', uid = '' } = object.metadata.ownerReferences?.[0] ?? {};
  const request = { metadata: { name, uid, namespace: 'sickbay-system' }, status: {} };
  return { request: { kind: 'value', value: request } as unknown as DeletedExecution['request'] };
});

/** Takes a failure that a deletion brought about for one that was there before it. */
const forgetsWhatItStopped: Mistake = deluded(({ object }) => {
  const { generation = 1 } = object.metadata;
  return object.status?.phase === 'Failed' ? { object: { ...object, metadata: { ...object.metadata, generation: generation + 1 } } } : {};
});

/** Lets an execution go before its run has stopped. */
const doesNotWait: Mistake = deluded(({ object }) =>
  object.status?.phase === 'Running' ? {} : { run: { kind: 'absent' }, pods: { kind: 'value', value: [] } },
);

/** Leaves the lock behind. */
export const keepsTheLock: Mistake = (right) => ({
  ...right,
  decide(seen, now) {
    const decision = right.decide(seen, now);
    const effects = decision.effects.filter((effect) => !(effect.kind === 'Delete' && effect.resource === Lease && isBeingDeleted(seen)));
    return { ...decision, effects };
  },
});

/** Takes whatever another has for free, or for its own. */
export const seesNoRivals: Mistake = (right) => ({
  ...right,
  observe: (key, reader, now) => right.observe(key, withoutRivals(key, reader), now),
});

function withoutRivals(key: ObjectKey, reader: Reader): Reader {
  const execution = reader.get(WorkflowExecution, key);
  const uid = execution.kind === 'value' ? execution.value.metadata.uid : '';
  const own = <T extends KubeObject>(resource: Resource, read: Read<T>): Read<T> => {
    if (read.kind !== 'value' || executionUidOf(read.value) === undefined || executionUidOf(read.value) === uid) return read;
    const { spec, ...lock } = read.value as KubeObject & { spec?: object };
    const labels = Object.fromEntries(
      Object.entries(lock.metadata.labels ?? {}).map(([name, value]) => [name, value === executionUidOf(read.value) ? uid : value]),
    );
    const taken = { ...lock, metadata: { ...lock.metadata, labels }, spec: { ...spec, holderIdentity: uid } } as unknown as T;
    return resource === Lease ? { kind: 'value', value: taken } : { kind: 'absent' };
  };
  return {
    ...reader,
    get: (resource, at) => own(resource, reader.get(resource, at)),
    fetch: async (resource, at, options) => own(resource, await reader.fetch(resource, at, options)),
  };
}

/** Has another opinion of how much may go on at once. */
const ignoresTheBudget: Mistake = () => {
  const running = { cluster: 9, namespace: 9, node: 9 };
  return createExecutionController(() => ({ ...SETTINGS, budget: { ...SETTINGS.budget, running } }));
};

/** Starts what is gone once more. */
const startsAgain: Mistake = (right) => ({
  ...right,
  decide(seen, now) {
    if (seen.stage !== 'running' || seen.run.kind !== 'absent') return right.decide(seen, now);
    const { object } = seen;
    const draft = jobDraft(object, SETTINGS.executionNamespace, now);
    const { suspend: _, ...spec } = draft.spec;
    return { status: object.status, effects: [{ kind: 'Create', resource: Job, object: { ...draft, spec } }], wakeAt: now };
  },
});

/** Says something else of how an execution ended. */
const says =
  (change: (status: NonNullable<WorkflowExecution['status']>) => object): Mistake =>
  (right) => ({
    ...right,
    decide(seen, now): Decision {
      const decision = right.decide(seen, now);
      const status = decision.status as WorkflowExecution['status'];
      return seen.object.status?.phase === 'Running' && status?.phase === 'Failed'
        ? { ...decision, status: { ...status, ...change(status) } }
        : decision;
    },
  });

/** Calls everything done. */
const saysDone = says(() => ({ phase: 'Completed' }));

/** Says that nothing ran, whatever did. */
const saysUntouched = says(({ failureDetails }) =>
  failureDetails ? { failureDetails: { ...failureDetails, wasExecutionFailure: false } } : {},
);

interface Caught {
  readonly make: Mistake;
  readonly complaint: RegExp;
  /** The only rival, where others would give the mistake away by something else. */
  readonly alone?: string;
}

/** Each with what it is caught by. */
export const MISTAKES: Readonly<Record<string, Caught>> = {
  believesDeletions: { make: believesDeletions, complaint: /no run after an execution failure/ },
  forgetsWhatItStopped: { make: forgetsWhatItStopped, complaint: /no run after an execution failure/ },
  doesNotWait: { make: doesNotWait, complaint: /no run outlives its execution/ },
  keepsTheLock: { make: keepsTheLock, complaint: /not settled/ },
  seesNoRivals: { make: seesNoRivals, complaint: /at most one run per target at any time/ },
  ignoresTheBudget: { make: ignoresTheBudget, complaint: /never more runs than the budget/ },
  startsAgain: { make: startsAgain, complaint: /at most one run per execution/ },
  saysDone: { make: saysDone, complaint: /is Completed, but its run is not/, alone: 'broken' },
  saysUntouched: { make: saysUntouched, complaint: /is said not to have run, but it did/, alone: 'broken' },
};
