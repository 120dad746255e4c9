import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../api/builtin/index.ts';
import type { Condition } from '../../api/meta.ts';
import { MINUTE } from '../../base/index.ts';
import { getCondition } from '../../kube/objects/conditions.ts';
import type { Read } from '../../kube/client/read.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { decide } from './decide.ts';
import type { AssessmentSeen } from './observe.ts';
import type { AssessmentStatus, Components } from './status.ts';
import {
  ABSENT,
  aDeployment,
  ALERT,
  anAssessment,
  aPod,
  at,
  firing,
  measured,
  NEVER_RAN,
  NOT_ASKED,
  SILENT,
  time,
  UNREADABLE,
} from './testing/builders.ts';

/** What people read of an assessment: what was found, what is waited for, and what to do about what is missing. */
const times = { prometheusCheckAfter: time(5 * MINUTE), alertManagerCheckAfter: time(5 * MINUTE), validityDeadline: time(30 * MINUTE) };
const target: AssessmentSeen['target'] = { kind: 'value', value: aDeployment() };
const well: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a'), aPod('b')] };
const unhealthyPods: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a', { ready: false }), aPod('b', { ready: false })] };
const half: AssessmentSeen['pods'] = { kind: 'value', value: [aPod('a'), aPod('b', { ready: false })] };
const OTHER = `sha256:${'0'.repeat(64)}`;

const UNREAD =
  'shop/Deployment/checkout could not be read in time; check its health, and that Sickbay may read it, its pods and their ConfigMaps';
const NO_ALERT = 'Alertmanager gave no answer in time; check that it is reachable at external.alertManagerUrl';
const NO_METRICS = 'Prometheus gave no metrics in time; check that it is reachable at external.prometheusUrl and scrapes the target';

interface Case {
  readonly status?: AssessmentStatus;
  readonly spec?: Partial<AssessmentSeen['object']['spec']>;
  readonly seen?: Partial<AssessmentSeen>;
  readonly atMs?: number;
}

function decided({ status, spec, seen, atMs = 6 * MINUTE }: Case): AssessmentStatus {
  const object = anAssessment({ phase: 'Assessing', ...times, ...status }, spec);
  const observed = { ...NOT_ASKED, object, settings: DEFAULT_SETTINGS, target, pods: well, ...seen };
  return decide(observed, at(atMs)).status as AssessmentStatus;
}
const waitsOf = (row: Case): string | undefined => getCondition(decided(row).conditions, 'AssessmentComplete')?.message;

const settings = (read: Read<ConfigMap>): AssessmentSeen['target'] => ({
  kind: 'value',
  value: {
    ...aDeployment(),
    spec: { template: { spec: { containers: [{ name: 'main', envFrom: [{ configMapRef: { name: 'settings' } }] }] } } },
    configMaps: new Map([['settings', read]]),
  },
});

describe('what is waited for', () => {
  test.each<[string, Case, string]>([
    ['the target', { seen: { target: UNREADABLE, pods: UNREADABLE } }, 'waiting for the target: forbidden; its pods'],
    ['its ConfigMaps', { seen: { target: settings(UNREADABLE) } }, 'waiting for its spec: ConfigMap settings cannot be read: forbidden'],
    ['its pods', { seen: { pods: UNREADABLE } }, 'waiting for its pods'],
    [
      'the alert, in its own time',
      { status: { alertManagerCheckAfter: time(8 * MINUTE) }, seen: { alerts: UNREADABLE } },
      `waiting for the alert, which is checked from ${time(8 * MINUTE)} on`,
    ],
    [
      'the pods that an alert is about',
      { seen: { alerts: firing('a'), pods: UNREADABLE } },
      'waiting for its pods; the alert: its pods cannot be read: forbidden',
    ],
    [
      'whether the target is well',
      { seen: { alerts: firing(), pods: UNREADABLE } },
      `waiting for its pods; whether the target is healthy: ${ALERT} still fires (1)`,
    ],
    [
      'an alert that only has to clear',
      { seen: { alerts: firing('a', 'b') } },
      `waiting for ${ALERT} still fires (2) though the target is healthy: it is given time to clear`,
    ],
    [
      'the whole target, before an alert is taken for one that only has to clear',
      { seen: { target: settings(UNREADABLE), alerts: firing() } },
      `waiting for its spec: ConfigMap settings cannot be read: forbidden; whether the target is healthy: ${ALERT} still fires (1)`,
    ],
    ['Prometheus', { seen: { metrics: UNREADABLE } }, 'waiting for metrics: forbidden'],
    [
      'the next scrape',
      { seen: { metrics: measured(4, 4, -30_000) } },
      'waiting for metrics: Prometheus has no metrics of it since the run',
    ],
  ])('%s', (_, row, want) => expect(waitsOf(row)).toBe(want));

  test('nothing is said to be waited for once all is known', () => expect(waitsOf({})).toBe('2 of 2 pods ready'));

  test('what is known already stays in the message while the rest is waited for', () => {
    const first = decided({ seen: { alerts: UNREADABLE } });
    expect(first.message).toBe('2 of 2 pods ready');
    expect(decided({ status: first, seen: { alerts: SILENT } }).message).toBe(`2 of 2 pods ready; ${ALERT} no longer fires`);
    expect(decided({ seen: { target: UNREADABLE, pods: UNREADABLE } })).not.toHaveProperty('message');
  });
});

const decaying: AssessmentStatus = {
  message: '2 of 2 pods ready',
  components: { healthAssessed: true, healthScore: 1, hashComputed: true, metricsAssessed: true, alertDecayRetries: 1 },
  conditions: [{ type: 'AlertDecayDetected', status: 'True', reason: 'AlertDecaying', message: 'x', lastTransitionTime: time(6 * MINUTE) }],
};

describe('while an alert is given time to clear', () => {
  test('health is reported again where it changed', () =>
    expect(decided({ status: decaying, seen: { alerts: firing(), pods: half } }).message).toBe('2 of 2 pods ready; 1 of 2 pods ready'));

  test('and not where it did not', () =>
    expect(decided({ status: decaying, seen: { alerts: firing() } }).message).toBe('2 of 2 pods ready'));

  test('a judged alert is the end of it, whatever the condition says', () => {
    const status = { ...decaying, components: { ...decaying.components, alertAssessed: true, alertScore: 1, metricsAssessed: false } };
    const { components } = decided({ status, seen: { pods: unhealthyPods, alerts: UNREADABLE, metrics: UNREADABLE } });
    expect(components?.healthScore).toBe(1);
  });
});

describe('how it ended', () => {
  test.each<[string, Case, string]>([
    [
      'drift',
      { spec: { appliedSpecHash: OTHER } },
      'shop/Deployment/checkout was changed after the workflow ran, so its state says nothing about the remediation; 2 of 2 pods ready',
    ],
    [
      'drift, and the pods unreadable',
      { spec: { appliedSpecHash: OTHER }, seen: { pods: UNREADABLE } },
      'shop/Deployment/checkout was changed after the workflow ran, so its state says nothing about the remediation; its pods could not be read',
    ],
    ['the target gone', { seen: { target: ABSENT } }, 'shop/Deployment/checkout no longer exists: the remediation cannot be assessed'],
    [
      'nothing ran',
      { seen: { execution: NEVER_RAN } },
      'the workflow failed before anything ran on shop/Deployment/checkout: there is nothing to assess',
    ],
    [
      'the alert did not clear in time',
      { status: decaying, atMs: 30 * MINUTE },
      `partly assessed; 2 of 2 pods ready; ${ALERT} did not clear in time although the target is healthy`,
    ],
    [
      'health never read',
      { status: { components: { hashComputed: true, alertAssessed: true, metricsAssessed: true } }, atMs: 30 * MINUTE },
      `partly assessed; ${UNREAD}`,
    ],
    [
      'the spec never read',
      { status: { components: { healthAssessed: true, alertAssessed: true, metricsAssessed: true } }, atMs: 30 * MINUTE },
      `partly assessed; ${UNREAD}`,
    ],
    [
      'all known, but never on one look that showed the whole target',
      {
        status: { components: { hashComputed: true, healthAssessed: true, alertAssessed: true, metricsAssessed: true } },
        atMs: 30 * MINUTE,
      },
      `partly assessed; ${UNREAD}`,
    ],
    [
      'the alert never read',
      { status: { components: { hashComputed: true, healthAssessed: true, metricsAssessed: true } }, atMs: 30 * MINUTE },
      'partly assessed; Alertmanager gave no answer in time; check that it is reachable at external.alertManagerUrl',
    ],
    ['nothing known', { atMs: 30 * MINUTE }, `no component was assessed; ${UNREAD}; ${NO_ALERT}; ${NO_METRICS}`],
  ])('%s', (_, row, want) => expect(decided(row).message).toBe(want));

  test('what the last look met is told only where it was still waiting', () => {
    const waited = (status: Condition['status']): AssessmentStatus => ({
      components: { hashComputed: true, healthAssessed: true, alertAssessed: true },
      conditions: [{ type: 'AssessmentComplete', status, reason: 'R', message: 'waiting for x', lastTransitionTime: time(0) }],
    });
    const messageWith = (status: Condition['status']) => decided({ status: waited(status), atMs: 30 * MINUTE }).message;
    expect(messageWith('False')).toBe(`partly assessed; ${NO_METRICS}; when the time ran out it was waiting for x`);
    expect(messageWith('True')).toBe(`partly assessed; ${NO_METRICS}`);
  });

  test('a decay that ran out of time says so in its condition', () => {
    const { conditions } = decided({ status: decaying, atMs: 30 * MINUTE });
    expect(getCondition(conditions, 'AlertDecayDetected')).toMatchObject({
      status: 'False',
      message: 'the alert did not clear before the deadline',
    });
    expect(getCondition(decided({ atMs: 30 * MINUTE }).conditions, 'AlertDecayDetected')).toBeUndefined();
  });
});

describe('what is known is something', () => {
  test.each<[string, Components]>([
    ['a hash', { hashComputed: true }],
    ['health, though it has no score', { healthAssessed: true }],
    ['a score of the alert', { alertScore: 0 }],
    ['a score of metrics', { metricsScore: 0 }],
  ])('%s makes it Partial', (_, components) =>
    expect(decided({ status: { components }, atMs: 30 * MINUTE }).assessmentReason).toBe('Partial'),
  );
});

describe('what a target wants', () => {
  const wants = (value: object) => decided({ seen: { target: { kind: 'value', value: value as never } } }).message;
  const daemons = { ...aDeployment(), kind: 'DaemonSet' };

  test('of a DaemonSet stands in its status, and is unknown until that is written', () => {
    expect(wants({ ...daemons, status: { desiredNumberScheduled: 4 } })).toBe('2 of 4 pods ready');
    expect(wants({ ...daemons, spec: { replicas: 9 } })).toBe('2 of 2 pods ready');
  });

  test('of any other stands in its spec, whatever its status says', () =>
    expect(wants({ ...aDeployment(3), status: { desiredNumberScheduled: 9 } })).toBe('2 of 3 pods ready'));

  test('is none only where the workflow said so', () => {
    const none = { target: { kind: 'value', value: aDeployment(0) }, pods: { kind: 'value', value: [] } } as const;
    expect(decided({ seen: none }).components?.healthScore).toBe(0);
    expect(decided({ seen: none, spec: { scalesToZero: true } }).components).not.toHaveProperty('healthScore');
  });
});
