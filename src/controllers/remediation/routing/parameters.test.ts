import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND, type Instant } from '../../../base/index.ts';
import { CONFIG_KEYS } from '../../../config/keys.ts';
import { parseConfig } from '../../../config/parse-config.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { Settings } from '../../settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import { anAnalysis, analyzing, aProcessing, aRequest as theRequest, pending, processing, value } from '../testing/builders.ts';
import type { RoutingEvidence } from './evidence.ts';
import { firstObjection, type CheckPoint } from './route.ts';
import { ago, all, anAssessment, anEvidence, anExecution, aRequest, failed, NOW, UNREADABLE } from './testing/builders.ts';

/** What a check says with these settings: whether it passes, until when it blocks, when it looks again. */
const verdict = (point: CheckPoint, change: Parameters<typeof anEvidence>[0], { routing }: Settings) => {
  const found = firstObjection(point, { ...anEvidence(change), routing } satisfies RoutingEvidence, NOW);
  const ms = (moment: Instant | undefined): number | undefined => (moment === undefined ? undefined : moment - NOW);
  if (found.kind === 'pass') return 'pass';
  return {
    kind: found.kind,
    check: found.check,
    until: found.kind === 'block' ? ms(found.until) : undefined,
    again: ms(found.lookAgainAt),
  };
};

/** How long a signal is left alone after this many failures, the last of which is now. */
const heldAfter = (failures: number, settings: Settings): string | undefined => {
  const object = theRequest(processing);
  const earlier = Array.from({ length: failures - 1 }, (_, i) => failed(`f${i}`, (i + 1) * MINUTE));
  const seen = {
    ...onlyRequest(object, settings),
    siblings: all(object, ...earlier),
    processing: value(aProcessing({ phase: 'Failed', error: 'gone' })),
  };
  return (decide(seen, NOW).status as RemediationStatus).nextAllowedExecution;
};

const heldAfterNothingToDo = (settings: Settings): string | undefined => {
  const analysis = value(anAnalysis({ reason: 'WorkflowNotNeeded', selectedWorkflow: undefined }));
  return (decide({ ...onlyRequest(theRequest(analyzing), settings), analysis }, NOW).status as RemediationStatus).nextAllowedExecution;
};

const failures = (count: number) => all(...Array.from({ length: count }, (_, i) => failed(`f${i}`, (i + 1) * 10 * MINUTE)));
const names = ['r0', 'r1', 'r2', 'r3', 'r4'];

/** Remediations of the target, ten minutes apart from each other. */
const remediations = (count: number, alertScore: number, firstAgoMs = 10 * MINUTE) => ({
  planned: {
    history: all(
      ...names
        .slice(0, count)
        .map((name, i) =>
          aRequest(name, { overallPhase: 'Completed', outcome: 'Inconclusive', verifyingStartTime: ago(firstAgoMs + i * 10 * MINUTE) }),
        ),
    ),
    assessments: all(...names.map((name) => anAssessment(name, { alertAssessed: true, alertScore }))),
  },
});
const blockedSince = (ms: number) => ({
  request: aRequest('rr', { ...pending, overallPhase: 'Blocked', blockedStartTime: ago(ms) }),
  scope: { kind: 'out', message: 'label it' } as const,
});
const ran = (agoMs: number) => ({ planned: { executions: all(anExecution('other', { phase: 'Completed', completionTime: ago(agoMs) })) } });
const block = (check: string, more: object) => ({ kind: 'block', check, ...more });
const chain = { until: undefined, again: 4 * HOUR };

interface Parameter {
  readonly name: string;
  readonly changed: string | number;
  readonly observed: (settings: Settings) => unknown;
  readonly byDefault: unknown;
  readonly changes: unknown;
}

const PARAMETERS: readonly Parameter[] = [
  {
    name: 'ConsecutiveFailureThreshold',
    changed: 2,
    observed: (settings) => verdict('pre-analysis', { others: failures(2) }, settings),
    byDefault: 'pass',
    changes: block('ConsecutiveFailures', { until: HOUR, again: HOUR }),
  },
  {
    name: 'ConsecutiveFailureCooldown',
    changed: '2h',
    observed: (settings) => verdict('pre-analysis', { others: failures(3) }, settings),
    byDefault: block('ConsecutiveFailures', { until: HOUR, again: HOUR }),
    changes: block('ConsecutiveFailures', { until: 2 * HOUR, again: 2 * HOUR }),
  },
  {
    name: 'RecentlyRemediatedCooldown',
    changed: '90s',
    observed: (settings) => verdict('post-analysis', ran(2 * MINUTE), settings),
    byDefault: block('RecentlyRemediated', { until: 3 * MINUTE, again: 3 * MINUTE }),
    changes: 'pass',
  },
  {
    name: 'ExponentialBackoffBase',
    changed: '90s',
    observed: (settings) => heldAfter(1, settings),
    byDefault: ago(-MINUTE),
    changes: ago(-90 * SECOND),
  },
  {
    name: 'ExponentialBackoffMax',
    changed: '5m',
    observed: (settings) => heldAfter(9, settings),
    byDefault: ago(-10 * MINUTE),
    changes: ago(-5 * MINUTE),
  },
  {
    name: 'ExponentialBackoffMaxExponent',
    changed: 1,
    observed: (settings) => heldAfter(4, settings),
    byDefault: ago(-8 * MINUTE),
    changes: ago(-2 * MINUTE),
  },
  {
    name: 'ScopeBackoffBase',
    changed: '20s',
    observed: (settings) => verdict('pre-analysis', blockedSince(0), settings),
    byDefault: block('UnmanagedResource', { until: undefined, again: 5 * SECOND }),
    changes: block('UnmanagedResource', { until: undefined, again: 20 * SECOND }),
  },
  {
    name: 'ScopeBackoffMax',
    changed: '10s',
    observed: (settings) => verdict('pre-analysis', blockedSince(35 * SECOND), settings),
    byDefault: block('UnmanagedResource', { until: undefined, again: 40 * SECOND }),
    changes: block('UnmanagedResource', { until: undefined, again: 10 * SECOND }),
  },
  {
    name: 'IneffectiveChainThreshold',
    changed: 2,
    observed: (settings) => verdict('post-analysis', remediations(2, 0), settings),
    byDefault: 'pass',
    changes: block('IneffectiveChain', chain),
  },
  {
    name: 'RecurrenceCountThreshold',
    changed: 2,
    observed: (settings) => verdict('post-analysis', remediations(2, 1), settings),
    byDefault: 'pass',
    changes: block('IneffectiveChain', chain),
  },
  {
    name: 'IneffectiveTimeWindow',
    changed: '1h',
    observed: (settings) => verdict('post-analysis', remediations(3, 0, 2 * HOUR), settings),
    byDefault: block('IneffectiveChain', chain),
    changes: 'pass',
  },
  {
    name: 'RequeueResourceBusy',
    changed: '45s',
    observed: (settings) =>
      verdict('post-analysis', { planned: { executions: all(anExecution('other', { phase: 'Running' })) } }, settings),
    byDefault: block('ResourceBusy', { until: undefined, again: 30 * SECOND }),
    changes: block('ResourceBusy', { until: undefined, again: 45 * SECOND }),
  },
  {
    name: 'RequeueGenericError',
    changed: '15s',
    observed: (settings) => verdict('pre-analysis', { scope: UNREADABLE }, settings),
    byDefault: { kind: 'unknown', check: 'UnmanagedResource', until: undefined, again: 5 * SECOND },
    changes: { kind: 'unknown', check: 'UnmanagedResource', until: undefined, again: 15 * SECOND },
  },
  {
    name: 'NoActionRequiredDelayHours',
    changed: 2,
    observed: heldAfterNothingToDo,
    byDefault: ago(-24 * HOUR),
    changes: ago(-2 * HOUR),
  },
];

const settingsOf = (text: string): Settings => {
  const parsed = parseConfig(text);
  if (parsed.kind !== 'valid') throw new Error(parsed.problems.map(({ message }) => message).join('; '));
  return parsed.settings;
};

describe('the fourteen parameters of routing', () => {
  test('are all here, each a key of the config file', () => {
    expect(PARAMETERS).toHaveLength(14);
    const routing = CONFIG_KEYS.map(({ key }) => key).filter((key) => key.startsWith('routing.'));
    for (const { name } of PARAMETERS) expect(routing).toContain(`routing.${name.slice(0, 1).toLowerCase()}${name.slice(1)}`);
  });

  test.each(PARAMETERS)('[RR-159] $name can be set, and changes what it is about', ({ name, changed, observed, byDefault, changes }) => {
    expect(observed(DEFAULT_SETTINGS)).toEqual(byDefault);
    expect(observed(settingsOf(`routing: { ${name}: ${changed} }`))).toEqual(changes);
  });
});
