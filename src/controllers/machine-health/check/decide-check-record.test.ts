import { describe, expect, test } from 'vitest';
import type { Gate } from '../../../api/machine-health-check/unhealthy-limit.ts';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { MOST_REMEDIATIONS } from '../../../api/machine-health-check/status.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, SECOND } from '../../../base/index.ts';
import { labelRequirements } from '../../../kube/selectors/index.ts';
import { NOT_READ } from '../../../kube/client/read.ts';
import { decideCheck } from './decide-check.ts';
import type { CheckObservation, TargetObservation } from './observe-check.ts';
import type { DeselectedMachine } from '../requests/observe-requests.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';

const entry = { machine: 'worker-0', uid: 'm-0', since: ago(SECOND) };

const stated = (status: 'True' | 'False') => ({
  type: 'HealthCheckSucceeded',
  status,
  reason: 'said',
  message: '',
  lastTransitionTime: ago(10 * SECOND),
});

/** worker-0 is healthy again and still recorded in status; worker-1 fails. */
const WELL_AGAIN: TargetObservation = {
  target: aTarget({ machine: aMachine({ status: { conditions: [stated('True')] } }) }),
  verdict: { kind: 'healthy' },
  others: [],
  ...UNREAD,
  entry,
};
const FAILING: TargetObservation = {
  target: aTarget({ machine: aMachine({ metadata: { name: 'worker-1', uid: 'm-1' }, status: { conditions: [stated('False')] } }) }),
  verdict: { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] },
  others: [],
  ...UNREAD,
};

const seen = (gate: Gate, targets: readonly TargetObservation[], deselected: readonly DeselectedMachine[] = []): CheckObservation => ({
  object: { ...aHealthCheck(), status: { remediations: [entry] } } as MachineHealthCheck,
  parsed: {
    kind: 'valid',
    check: aCheck({ gate }),
    namespace: 'machine-api',
    name: 'example',
    selects: labelRequirements({ matchLabels: { role: 'worker' } }),
  },
  pausedBy: [],
  targets,
  deselected,
});

const recordOf = (status: unknown): readonly string[] =>
  ((status as MachineHealthCheck['status'])?.remediations ?? []).map(({ machine }) => machine);

describe('recovered Machines that are still recorded in status', () => {
  test('do not open a gate that requires a minimum number of unhealthy Machines', () => {
    const { status } = decideCheck(seen({ kind: 'range', min: 2, max: 3 }, [WELL_AGAIN, FAILING]), NOW);
    expect(recordOf(status)).toEqual([]);
  });

  test('count against the gate until their records are removed', () => {
    const { status } = decideCheck(seen({ kind: 'atMost', limit: { unit: 'machines', count: 1 } }, [WELL_AGAIN, FAILING]), NOW);
    expect(recordOf(status)).toEqual([]);
  });

  test('are removed from status, and the check is evaluated again at once: no event reports the free slot', () => {
    expect(decideCheck(seen({ kind: 'range', min: 1, max: 3 }, [WELL_AGAIN]), NOW).wakeAt).toEqual(after(NOW, SECOND));
  });
});

describe('recorded Machines that the check no longer selects', () => {
  const KIND = { apiVersion: 'fix.example.com/v1', kind: 'Reboot' };
  const asked = { ...entry, request: KIND };
  const annotated = (annotation: string) => aMachine({ metadata: { annotations: { [annotation]: '' } } });
  const OPEN: DeselectedMachine = {
    entry: asked,
    machine: annotated(ANNOTATIONS.skipRemediation),
    request: { kind: 'unreadable', reason: 'busy' },
  };

  test.each<{ readonly reason: string; readonly deselected: DeselectedMachine; readonly counts: boolean }>([
    { reason: 'paused', deselected: { entry: asked, machine: annotated(ANNOTATIONS.paused), request: NOT_READ }, counts: true },
    {
      reason: 'paused, with its owner asked',
      deselected: { entry, machine: annotated(ANNOTATIONS.paused), request: NOT_READ },
      counts: true,
    },
    { reason: 'opted out, and its request may be there still', deselected: OPEN, counts: true },
    { reason: 'opted out, and its request is gone', deselected: { ...OPEN, request: { kind: 'absent' } }, counts: false },
    { reason: 'gone', deselected: { entry: asked, request: NOT_READ }, counts: false },
  ])('$reason: it counts $counts', ({ deselected, counts }) => {
    const { status } = decideCheck(seen({ kind: 'atMost', limit: { unit: 'machines', count: 1 } }, [FAILING], [deselected]), NOW);
    expect(recordOf(status).includes('worker-1')).toBe(!counts);
    expect(status).toMatchObject({ expectedMachines: 1, remediationsAllowed: 0 });
  });

  test('are part of the total of which a percentage may be unhealthy', () => {
    const share: Gate = { kind: 'atMost', limit: { unit: 'percent', percent: 100 } };
    expect(recordOf(decideCheck(seen(share, [FAILING], [OPEN]), NOW).status)).toEqual(['worker-0', 'worker-1']);
  });
});

test('of Machines whose owner has a request already, only as many are recorded as the gate allows, as where two checks become one', () => {
  const asked = { ...stated('False'), type: 'OwnerRemediated', reason: 'WaitingForRemediation' };
  const before = Array.from({ length: MOST_REMEDIATIONS + 200 }, (_, i) => ({
    ...FAILING,
    target: aTarget({
      machine: aMachine({ metadata: { name: `asked-${i}`, uid: `u-${i}` }, status: { conditions: [stated('False'), asked] } }),
    }),
  }));
  const { status, effects } = decideCheck(
    seen({ kind: 'atMost', limit: { unit: 'percent', percent: 100 } }, [{ ...FAILING, entry }, ...before]),
    NOW,
  );
  expect(recordOf(status)).toHaveLength(MOST_REMEDIATIONS);
  expect(effects).toHaveLength(MOST_REMEDIATIONS);
});
