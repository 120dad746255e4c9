import { enumOf, flag, int32, list, object, optional, text, time, type Shape } from '../../api/schema/index.ts';
import { named, pageOf, pageQuery, resourceRef, triState } from './parts.ts';

const condition = named(
  'Condition',
  object('A condition of an object.', {
    type: text('Its type.'),
    status: triState('Its status.'),
    reason: optional(text('Its reason.')),
    message: optional(text('Its message.')),
    since: optional(time('Since when it has this status.')),
  }),
);

/** A Machine with its health. */
export const machineSchema = named(
  'Machine',
  object('A Machine with its health.', {
    name: text('Name of the Machine.'),
    namespace: text('Its namespace.'),
    uid: text('Its UID.'),
    version: text('Changes whenever it changes.'),
    cluster: optional(text('Cluster that it belongs to.')),
    node: optional(text('The Node that runs on it.')),
    phase: optional(text('Phase of its lifecycle.')),
    healthy: triState('Whether its health check passes; Unknown where no check watches it.'),
    reason: optional(text('Why not, in one word.')),
    message: optional(text('Why not, in a sentence.')),
    since: optional(time('Since when.')),
    check: optional(text('The MachineHealthCheck that watches it.')),
    excluded: flag('Whether an annotation excludes it from remediation.'),
    remediation: optional(
      object('Its remediation, where one is under way.', {
        since: time('When remediation was requested.'),
        by: text('What remediates it: its owner, or a remediator.'),
        object: optional({ ...resourceRef, description: 'The request.' }),
        phase: optional(text('Phase of the request.')),
        message: optional(text('State of the request in a sentence.')),
      }),
    ),
    conditions: list('Its conditions.', condition),
  }),
);
export type MachineView = Shape<typeof machineSchema>;

export const machineList = pageOf('MachineList', machineSchema);

export const machineQuery = object('Filters of the list.', {
  ...pageQuery,
  namespace: optional(text('Namespace of the Machine.', { max: 63 })),
  cluster: optional(text('Cluster that it belongs to.', { max: 253 })),
  check: optional(text('The MachineHealthCheck that watches it.', { max: 253 })),
  healthy: optional(enumOf('Whether its health check passes.', ['True', 'False', 'Unknown'])),
  search: optional(text('Text that the name or the Node contains, in any case.', { max: 253 })),
});

/** A MachineHealthCheck with its counts. */
export const machineCheckSchema = named(
  'MachineCheck',
  object('A MachineHealthCheck with its counts.', {
    name: text('Name of the MachineHealthCheck.'),
    namespace: text('Its namespace.'),
    uid: text('Its UID.'),
    version: text('Changes whenever it changes.'),
    cluster: optional(text('Cluster whose Machines it watches.')),
    selector: text('Which Machines it watches, as a label selector.'),
    expected: int32('Machines that it watches.', { min: 0 }),
    healthy: int32('Healthy ones among them.', { min: 0 }),
    remediationsAllowed: int32('How many more may turn unhealthy before remediation stops.', { min: 0 }),
    limit: optional(text('How many unhealthy Machines stop remediation, as it is written in the spec.')),
    allowed: triState('Whether it may request remediation now.'),
    message: optional(text('Why not.')),
    paused: flag('Whether it is paused.'),
    storm: optional(object('Too many Machines were unhealthy at once.', { since: time('Since when.') })),
    remediations: list(
      'Remediations under way.',
      object('One remediation.', { machine: text('Name of the Machine.'), since: time('When it was requested.') }),
    ),
    conditions: list('Its conditions.', condition),
  }),
);
export type MachineCheck = Shape<typeof machineCheckSchema>;

export const machineCheckList = pageOf('MachineCheckList', machineCheckSchema);

export const machineCheckQuery = object('Filters of the list.', {
  ...pageQuery,
  namespace: optional(text('Namespace of the MachineHealthCheck.', { max: 63 })),
});
