import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { SECOND } from '../../../base/index.ts';
import { labelRequirements } from '../../../kube/selectors/index.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { claimCondition } from './claim.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { FullListTimes } from './full-list-times.ts';
import { observeRequests } from './observe-requests.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';

const SWAP = { apiVersion: 'fix.example.com/v1', kind: 'Swap' };
const REBOOT = { apiVersion: 'fix.example.com/v1', kind: 'Reboot' };
const entry = { machine: 'worker-0', uid: 'm-0', since: ago(SECOND), request: REBOOT };

/** A Machine on our record for a reboot, which another check had swapped before we could ask. */
function target(others: TargetObservation['others']): TargetObservation {
  const { type, reason, message } = claimCondition({ request: SWAP, check: 'other' }, aMachine());
  const conditions = [{ type, status: 'False' as const, reason, message, lastTransitionTime: ago(SECOND) }];
  const verdict = { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] } as const;
  return { target: aTarget({ machine: aMachine({ status: { conditions } }) }), verdict, others, hasExternalCondition: true, ...UNREAD };
}

/** A server that has these kinds of requests for the Machine. */
const server = (...kinds: readonly string[]): Reader => ({
  get: () => ({ kind: 'absent' }),
  list: () => ({ kind: 'value', value: [] }),
  fetch: <T extends KubeObject>({ kind }: Resource<T>, key: ObjectKey) =>
    Promise.resolve(
      kinds.includes(kind)
        ? { kind: 'value', value: { apiVersion: SWAP.apiVersion, kind, metadata: key } as unknown as T }
        : { kind: 'absent' },
    ),
  fetchList: () => Promise.resolve({ kind: 'value', value: [] }),
});

async function seenOn(reader: Reader, others: TargetObservation['others'] = []): Promise<TargetObservation | undefined> {
  const templateRef = { ...REBOOT, kind: 'RebootTemplate', name: 'usual' };
  const { targets } = await observeRequests(
    { names: [entry.machine], targets: [target(others)] },
    {
      reader,
      object: { ...aHealthCheck(), status: { remediations: [entry] } } as MachineHealthCheck,
      parsed: {
        kind: 'valid',
        check: aCheck({ template: templateRef, gate: { kind: 'atMost', limit: { unit: 'percent', percent: 100 } } }),
        namespace: 'machine-api',
        name: 'example',
        selects: labelRequirements({ matchLabels: { role: 'worker' } }),
      },
      fullLists: new FullListTimes(),
      fullList: undefined,
      now: NOW,
    },
  );
  return targets[0];
}

describe('an orphaned request of a deleted check', () => {
  test('is found beside the recorded ones, so that no second remediator is asked', async () => {
    expect(await seenOn(server('Swap'))).toMatchObject({ requestKind: SWAP, request: { kind: 'value', value: { kind: 'Swap' } } });
  });

  test('does not block a new request once it is gone', async () => {
    expect(await seenOn(server())).toMatchObject({ requestKind: REBOOT, request: { kind: 'absent' } });
  });

  test('is not looked for while its check is there', async () => {
    expect(await seenOn(server('Swap'), [{ name: 'other', allows: true }])).toMatchObject({
      requestKind: REBOOT,
      request: { kind: 'absent' },
    });
  });
});
