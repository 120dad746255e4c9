import { AGE, defineKind } from '../../api/define-kind.ts';
import type { ObjectOf } from '../../api/resource.ts';
import { after, parseTime, SECOND, type Instant } from '../../base/index.ts';
import { enumOf, immutable, int32, object, optional, partial, text, time } from '../../api/schema/index.ts';

/** The sample kind: something to be done once to one target. It exists for tests alone and is never installed. */
export const Errand = defineKind({
  group: 'test.sickbay.dev',
  version: 'v1',
  kind: 'Errand',
  plural: 'errands',
  shortNames: [],
  description: 'Something to be done once to one target.',
  spec: object(
    'What is to be done.',
    {
      target: text('What it is done to; errands to the same target wait for each other.', { min: 1, max: 40, pattern: '^[a-z0-9-]+$' }),
      timeoutSeconds: optional(int32('How long the run may take.', { min: 1, default: 600 })),
    },
    { rules: [immutable('spec')] },
  ),
  status: partial('How far it has come.', {
    phase: enumOf('Where it stands.', ['Pending', 'Running', 'Succeeded', 'Failed']),
    reason: text('Why it failed.', { max: 64 }),
    runUid: text('UID of the Job that does it, recorded before the Job is released.', { max: 64 }),
    since: time('When it entered its phase.'),
  }),
  columns: [{ name: 'Phase', type: 'string', path: '.status.phase' }, AGE],
  sample: { metadata: { name: 'water-the-plants', namespace: 'default' }, spec: { target: 'plants' } },
});
export type Errand = ObjectOf<typeof Errand>;

/** Where an errand can go from where it stands. */
export const errandTransitions = {
  '': ['Pending'],
  Pending: ['Running'],
  Running: ['Succeeded', 'Failed'],
  Succeeded: [],
  Failed: [],
} as const satisfies Record<ErrandPhase | '', readonly ErrandPhase[]>;

export type ErrandPhase = NonNullable<NonNullable<Errand['status']>['phase']>;

/** Label on a run: the UID of the errand that it belongs to. */
export const ERRAND_LABEL = 'test.sickbay.dev/errand';

/** One run per target: the name is the lock. */
export const runName = (errand: Errand): string => `run-${errand.spec.target}`;

export const reportName = (errand: Errand): string => `report-${errand.metadata.name}`;

const DEFAULT_TIMEOUT_SECONDS = 600;

/** By when the run must be over. */
export function deadlineOf(errand: Errand, now: Instant): Instant {
  const since = parseTime(errand.status?.since) ?? now;
  return after(since, (errand.spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * SECOND);
}
