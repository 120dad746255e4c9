import { ENGINES } from '../../api/parts/plan.ts';
import {
  any,
  decimal,
  enumOf,
  flag,
  fraction,
  int32,
  list,
  object,
  optional,
  text,
  texts,
  time,
  type Shape,
} from '../../api/schema/index.ts';
import { named, pageOf, pageQuery } from './parts.ts';

const parameter = named(
  'WorkflowParameter',
  object('One parameter.', {
    name: text('Its name.'),
    type: text('Type of its value.'),
    required: flag('Whether a value must be given.'),
    description: text('What the value means.'),
    default: optional(any('The value that is used when none is given.')),
    enum: optional(texts('The only values that are accepted.')),
  }),
);

const statistics = object('How well it worked, over the remediations that are kept.', {
  runs: int32('Finished runs.', { min: 0 }),
  succeeded: int32('Runs that completed.', { min: 0 }),
  failed: int32('Runs that failed.', { min: 0 }),
  active: int32('Runs that wait or run now.', { min: 0 }),
  remediated: int32('Remediations that ended Remediated.', { min: 0 }),
  successRate: optional(fraction('Runs that completed, as a share of the finished ones; absent without any.')),
  averageScore: optional(fraction('Average score of its assessments; absent without any.')),
  medianSeconds: optional(decimal('How long a run takes: the median.')),
  lastRunAt: optional(time('When it last ran.')),
});

/** A workflow of the catalogue. */
export const workflowSchema = named(
  'Workflow',
  object('A workflow of the catalogue, and how well it worked.', {
    name: text('Name of the RemediationWorkflow.'),
    version: text('Version of its content.'),
    revision: text('Changes whenever it changes.'),
    actionType: text('What it does, as the name of an ActionType.'),
    what: text('What it does.'),
    whenToUse: optional(text('When it should be used.')),
    engine: enumOf('System that runs it.', ENGINES),
    status: text('Whether it can be selected: Active, Disabled, Deprecated or Invalid.'),
    message: optional(text('Why not.')),
    severities: texts('Severities that it applies to; "*" for all.'),
    components: texts('Kinds of resource that it applies to; "*" for all.'),
    environments: texts('Environments that it applies to; "*" for all.'),
    dryRun: flag('Whether remediations that select it stop after the analysis.'),
    parameters: list('Its parameters.', parameter),
    statistics,
  }),
);
export type Workflow = Shape<typeof workflowSchema>;

export const workflowList = pageOf('WorkflowList', workflowSchema);
export type WorkflowList = Shape<typeof workflowList>;

export const workflowQuery = object('Filters of the list.', {
  ...pageQuery,
  actionType: optional(text('What it does.', { max: 255 })),
  search: optional(text('Text that the name or the description contains, in any case.', { max: 253 })),
});
