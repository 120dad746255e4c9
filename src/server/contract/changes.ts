import { enumOf, object, optional, text, type Shape } from '../../api/schema/index.ts';
import { approvalSchema } from './approvals.ts';
import { machineCheckSchema, machineSchema } from './machines.ts';
import { named } from './parts.ts';
import { remediationSummary } from './remediations.ts';
import { workflowSchema } from './workflows.ts';

/** What can be followed. */
export const TOPICS = ['remediations', 'approvals', 'machines', 'machine-checks', 'workflows', 'signals'] as const;
export type Topic = (typeof TOPICS)[number];

export const changesQuery = object('What is followed.', {
  topics: optional(text(`Topics, separated by commas, of ${TOPICS.join(', ')}; all that the user may read when absent.`, { max: 200 })),
  lastEventId: optional(text('Where to continue, for clients that cannot set the header Last-Event-ID.', { max: 128 })),
});

/** The data of a `change` event. */
export const changeSchema = named(
  'Change',
  object('What became of one object. Several changes of one object come as one: the last state counts.', {
    topic: enumOf('What kind of object it is.', TOPICS),
    name: text('Its name; namespace/name for Machines and their checks.'),
    op: enumOf('`put`: it exists, as it is shown here; `delete`: it is gone.', ['put', 'delete']),
    remediation: optional({ ...remediationSummary, description: 'Of the topic remediations. A change of its children is a change of it.' }),
    approval: optional({ ...approvalSchema, description: 'Of the topic approvals.' }),
    machine: optional({ ...machineSchema, description: 'Of the topic machines.' }),
    check: optional({ ...machineCheckSchema, description: 'Of the topic machine-checks.' }),
    workflow: optional({ ...workflowSchema, description: 'Of the topic workflows.' }),
  }),
);
export type ChangeEvent = Shape<typeof changeSchema>;
