import { conditionsAside, looseConditions } from '../parts/loose-conditions.ts';
import { int32, int64, list, object, optional, partial, text, texts, time } from '../schema/index.ts';

const KNOWN = [
  'RemediationAllowed',
  'Paused',
  'Overlapping',
  'ConfigurationValid',
  'TemplateAvailable',
  'NodesReachable',
  'GivenUp',
  'Ready',
];

/** How many remediations of one check can be under way at once: its record must fit into its status. */
export const MOST_REMEDIATIONS = 1000;

/** How many Machines a check names in its status; it counts them all. */
export const MOST_TARGETS = 10_000;

const remediation = object('One Machine that somebody was asked to mend.', {
  machine: text('Name of the Machine.', { min: 1, max: 253 }),
  uid: text('UID of the Machine, so that a later one of its name is not taken for it.', { max: 128 }),
  since: time('When the decision was taken.'),
  request: optional(
    object('Kind of the request, which has the name of the Machine; absent: its owner was asked.', {
      apiVersion: text('API group and version.', { min: 1, max: 317 }),
      kind: text('Kind.', { min: 1, max: 63 }),
    }),
  ),
  healthySince: optional(
    time('Since when the Machine is well, while its remediation is not over: it must stay so, or its request must go.'),
  ),
});

const attempt = object('How often one Machine was handed out.', {
  machine: text('Name of the Machine.', { min: 1, max: 253 }),
  uid: text('UID of the Machine.', { max: 128 }),
  count: int32('How often.', { min: 1 }),
  last: time('When it was last.'),
});

const storm = object('That too many Machines were unhealthy at once.', {
  since: time('Since when.'),
  calmSince: optional(time('Since when there are not too many any more; spec.safeguards.stormCooldown later remediation goes on.')),
});

export const machineHealthCheckStatus = partial('How the watched Machines are doing.', {
  expectedMachines: int32('Machines that are watched.', { min: 0 }),
  currentHealthy: int32('Machines among them that are healthy.', { min: 0 }),
  remediationsAllowed: int32('How many more Machines may turn unhealthy before remediation stops.', { min: 0 }),
  observedGeneration: int64('Generation that was last looked at.', { min: 0 }),
  targets: texts('Names of the watched Machines, sorted.', { max: MOST_TARGETS, atomic: true }),
  remediations: list('Machines that somebody was asked to mend, until that is over. Written down before anybody is asked.', remediation, {
    max: MOST_REMEDIATIONS,
    keys: ['machine'],
  }),
  attempts: list('Machines that were handed out and have not stayed well for long since; kept only with a limit on attempts.', attempt, {
    max: MOST_REMEDIATIONS,
    keys: ['machine'],
  }),
  storm,
  conditions: looseConditions(KNOWN),
  ...conditionsAside(KNOWN),
});
