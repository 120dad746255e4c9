import { Lease } from '../../api/builtin/index.ts';
import type { ExecutionSeen } from '../../controllers/execution/index.ts';
import type { Controller } from '../../runtime/controller.ts';

/** Execution controllers with one mistake each; the simulation has to catch every one. */
export type Mistake = (right: Controller<ExecutionSeen>) => Controller<ExecutionSeen>;

const isGoing = ({ object }: ExecutionSeen): boolean => object.metadata.deletionTimestamp !== undefined;

/** Sees one thing otherwise than it is, when an execution is being deleted. */
const deluded =
  (see: (seen: ExecutionSeen) => Partial<ExecutionSeen>): Mistake =>
  (right) => ({
    ...right,
    decide: (seen, now) => right.decide(isGoing(seen) ? { ...seen, ...see(seen) } : seen, now),
  });

/** Takes every deletion for a person's word about the target. */
const believesDeletions: Mistake = deluded(({ object }) => {
  const { name = '', uid = '' } = object.metadata.ownerReferences?.[0] ?? {};
  const request = { metadata: { name, uid, namespace: 'sickbay-system' }, status: {} };
  return { request: { kind: 'value', value: request } as unknown as ExecutionSeen['request'] };
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
const keepsTheLock: Mistake = (right) => ({
  ...right,
  decide(seen, now) {
    const decision = right.decide(seen, now);
    const effects = decision.effects.filter((effect) => !(effect.kind === 'Delete' && effect.resource === Lease && isGoing(seen)));
    return { ...decision, effects };
  },
});

/** Each with what it is caught by. */
export const MISTAKES: Readonly<Record<string, { readonly make: Mistake; readonly complaint: RegExp }>> = {
  believesDeletions: { make: believesDeletions, complaint: /no run after an execution failure/ },
  forgetsWhatItStopped: { make: forgetsWhatItStopped, complaint: /no run after an execution failure/ },
  doesNotWait: { make: doesNotWait, complaint: /no run outlives its execution/ },
  keepsTheLock: { make: keepsTheLock, complaint: /not settled/ },
};
