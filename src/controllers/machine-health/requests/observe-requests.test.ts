import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { after, MINUTE, SECOND } from '../../../base/index.ts';
import { labelRequirements } from '../../../kube/selectors/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { NOT_READ } from '../../../kube/client/read.ts';
import { FULL_LIST_INTERVAL_MS, FullListTimes } from './full-list-times.ts';
import { observeRequests, targetsToRequest } from './observe-requests.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import type { HealthVerdict } from '../verdict/verdict.ts';

const REBOOT = { apiVersion: 'fix.example.com/v1', kind: 'Reboot' };
const ENTRY = { machine: 'worker-0', uid: 'm-0', since: ago(MINUTE), request: REBOOT };
const ATTEMPT = { machine: 'worker-0', uid: 'm-0', count: 1, last: ago(MINUTE) };
const HEALTHY: HealthVerdict = { kind: 'healthy' };
const UNHEALTHY: HealthVerdict = { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] };
const ABSENT = { kind: 'absent' } as const;
const open = (metadata: object = {}): Read<KubeObject> => ({
  kind: 'value',
  value: { ...REBOOT, metadata: { name: 'worker-0', ...metadata } } as KubeObject,
});

interface Case {
  readonly reason: string;
  readonly verdict: HealthVerdict;
  readonly request: Read<KubeObject>;
  readonly percent?: number;
  /** The stored object of another Machine, worker-1, which has attempts recorded in status. */
  readonly kept?: Read<Machine>;
  /** What the check says of its template. */
  readonly template?: 'True' | 'False' | 'nothing';
  /** The spec that it says so of. */
  readonly of?: number;
  /** How long ago all requests were looked at. */
  readonly sweptMs?: number;
  /** What else the server is asked for. */
  readonly asks: readonly string[];
}

/** What is read from the server about one recorded Machine, besides its request, and the observation that results. */
async function observing({ verdict, request, percent = 100, kept = ABSENT, ...about }: Omit<Case, 'reason' | 'asks'>) {
  const { template = 'True', of = 1, sweptMs = 0 } = about;
  const asked: string[] = [];
  const reader: Reader = {
    get: <T extends KubeObject>() => kept as Read<KubeObject> as Read<T>,
    list: () => ({ kind: 'value', value: [] }),
    fetch: <T extends KubeObject>({ kind }: Resource<T>) => {
      if (kind === REBOOT.kind) return Promise.resolve(request as Read<T>);
      asked.push(kind);
      return Promise.resolve((kind === Machine.kind ? { kind: 'value', value: aMachine() } : ABSENT) as Read<T>);
    },
    fetchList: () => Promise.resolve({ kind: 'unreadable', reason: 'nothing is listed' }),
  };
  const said = { type: 'TemplateAvailable', status: template, reason: 'said', message: '', lastTransitionTime: ago(MINUTE) };
  const one: TargetObservation = { target: aTarget({ machine: aMachine() }), verdict, others: [], ...UNREAD };
  const object = {
    ...aHealthCheck(),
    status: {
      remediations: [ENTRY],
      attempts: [ATTEMPT, { ...ATTEMPT, machine: 'worker-1', uid: 'm-1' }],
      observedGeneration: of,
      conditions: template === 'nothing' ? [] : [said],
    },
  } as MachineHealthCheck;
  const parsed: ParsedCheck = {
    kind: 'valid',
    check: aCheck({
      template: { ...REBOOT, kind: 'RebootTemplate', name: 'usual' },
      gate: { kind: 'atMost', limit: { unit: 'percent', percent } },
    }),
    namespace: 'machine-api',
    name: 'example',
    selects: labelRequirements({ matchLabels: { role: 'worker' } }),
  };
  const fullLists = new FullListTimes();
  fullLists.record(object, after(NOW, -sweptMs));
  const { fullList } = targetsToRequest(object, parsed, { fullLists, now: NOW });
  const where = { reader, object, parsed, fullLists, fullList, now: NOW };
  const { targets, deselectedWithAttempts, external } = await observeRequests({ names: ['worker-0'], targets: [one] }, where);
  return { asked, seen: targets[0], deselectedWithAttempts, external };
}

describe('the server is asked for', () => {
  test.each<Case>([
    { reason: 'a request is to be made', verdict: UNHEALTHY, request: ABSENT, asks: ['Machine', 'RebootTemplate'] },
    { reason: 'a request is to be withdrawn', verdict: HEALTHY, request: open(), asks: ['Machine'] },
    { reason: 'the gate is closed, and a request is to be withdrawn', verdict: HEALTHY, request: open(), percent: 0, asks: ['Machine'] },
    { reason: 'the gate is closed', verdict: UNHEALTHY, request: ABSENT, percent: 0, asks: [] },
    { reason: 'a request is open that is needed', verdict: UNHEALTHY, request: open(), asks: [] },
    { reason: 'a request is gone that is not', verdict: HEALTHY, request: ABSENT, asks: [] },
    { reason: 'a request is on its way out', verdict: HEALTHY, request: open({ deletionTimestamp: ago(SECOND) }), asks: [] },
    { reason: 'the request cannot be read', verdict: HEALTHY, request: { kind: 'unreadable', reason: 'busy' }, asks: [] },
    { reason: 'it is not judged yet', verdict: { kind: 'waiting', until: NOW }, request: open(), asks: [] },
  ])('$asks where $reason', async ({ asks, ...about }) => {
    const { asked, seen } = await observing(about);
    expect(asked).toEqual(asks);
    expect(seen?.liveMachine).toEqual(asks.includes('Machine') ? { kind: 'value', value: aMachine() } : NOT_READ);
  });
});

describe('while no request needs it, the template', () => {
  const well = { verdict: HEALTHY, request: ABSENT };
  test.each<Omit<Case, 'verdict' | 'request'>>([
    { reason: 'is not looked for once the check has said that it is there', asks: [] },
    { reason: 'is looked for where nothing was said of it', template: 'nothing', asks: ['RebootTemplate'] },
    { reason: 'is looked for where it was not there', template: 'False', asks: ['RebootTemplate'] },
    { reason: 'is looked for where another was there', of: 0, asks: ['RebootTemplate'] },
    { reason: 'is looked for with all requests', sweptMs: FULL_LIST_INTERVAL_MS, asks: ['RebootTemplate'] },
    { reason: 'is not looked for before that', sweptMs: FULL_LIST_INTERVAL_MS - 1, asks: [] },
  ])('$reason', async ({ asks, ...about }) => {
    const { asked, external } = await observing({ ...well, ...about });
    expect(asked).toEqual(asks);
    expect(external?.template).toEqual(asks.length > 0 ? ABSENT : NOT_READ);
  });
});

describe('a Machine with recorded attempts that the check does not select now', () => {
  const value = (uid: string): Read<Machine> => ({ kind: 'value', value: aMachine({ metadata: { name: 'worker-1', uid } }) });
  test.each<{ readonly reason: string; readonly kept: Read<Machine>; readonly want: readonly string[] }>([
    { reason: 'is there', kept: value('m-1'), want: ['m-1'] },
    { reason: 'may be there', kept: { kind: 'unreadable', reason: 'busy' }, want: ['m-1'] },
    { reason: 'is gone', kept: ABSENT, want: [] },
    { reason: 'is gone, and another has its name', kept: value('m-9'), want: [] },
  ])('$reason', async ({ kept, want }) =>
    expect((await observing({ verdict: HEALTHY, request: ABSENT, kept })).deselectedWithAttempts).toEqual(want),
  );
});
