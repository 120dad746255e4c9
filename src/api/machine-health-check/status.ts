import { conditionsAside, looseConditions } from '../parts/loose-conditions.ts';
import { int32, int64, list, object, optional, partial, text, texts, time } from '../schema/index.ts';

const KNOWN = [
  'RemediationAllowed',
  'Paused',
  'Overlapping',
  'ConfigurationValid',
  'TemplateAvailable',
  'NodesReachable',
  'MachinesEvaluated',
  'GivenUp',
  'Ready',
];

/** How many remediations of one check can be under way at once: its record must fit into its status. */
export const MOST_REMEDIATIONS = 1000;

/** How many Machines a check names in its status; it counts them all. */
export const MOST_TARGETS = 10_000;

const remediation = object('One Machine for which remediation was requested.', {
  machine: text('Name of the Machine.', { min: 1, max: 253 }),
  uid: text('UID of the Machine, so that a later Machine of the same name is not mistaken for it.', { max: 128 }),
  since: time('When remediation was decided on.'),
  request: optional(
    object('Kind of the request, which has the name of the Machine; absent: its owner remediates.', {
      apiVersion: text('API group and version.', { min: 1, max: 317 }),
      kind: text('Kind.', { min: 1, max: 63 }),
    }),
  ),
  healthySince: optional(
    time('Since when the Machine is healthy while its remediation is not completed: it must stay healthy, or its request must be deleted.'),
  ),
});

const attempt = object('How often remediation was requested for one Machine.', {
  machine: text('Name of the Machine.', { min: 1, max: 253 }),
  uid: text('UID of the Machine.', { max: 128 }),
  count: int32('How often.', { min: 1 }),
  last: time('When remediation was last requested.'),
});

const storm = object('Set when too many Machines were unhealthy at once.', {
  since: time('Since when.'),
  calmSince: optional(time('Since when there are no longer too many; remediation continues spec.safeguards.stormCooldown later.')),
});

export const machineHealthCheckStatus = partial('State of the watched Machines.', {
  expectedMachines: int32('Machines that are watched.', { min: 0 }),
  currentHealthy: int32('Machines among them that are healthy.', { min: 0 }),
  remediationsAllowed: int32('How many more Machines may turn unhealthy before remediation stops.', { min: 0 }),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  targets: texts('Names of the watched Machines, sorted.', { max: MOST_TARGETS, atomic: true }),
  remediations: list(
    'Machines whose remediation was requested and is not completed. Recorded before remediation is requested.',
    remediation,
    {
      max: MOST_REMEDIATIONS,
      keys: ['machine'],
    },
  ),
  attempts: list(
    'Machines for which remediation was requested and that have not stayed healthy long enough since; kept only with a limit on attempts.',
    attempt,
    {
      max: MOST_REMEDIATIONS,
      keys: ['machine'],
    },
  ),
  storm,
  conditions: looseConditions(KNOWN),
  ...conditionsAside(KNOWN),
});
