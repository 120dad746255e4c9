import { AGE, defineKind } from '../define-kind.ts';
import { PASCAL_CASE, purpose } from '../parts/catalogue.ts';
import { PIPELINE } from '../parts/group.ts';
import type { ObjectOf } from '../resource.ts';
import { conditions, flag, immutable, int32, object, partial, text, time } from '../schema/index.ts';
import { actionTypeSample } from './sample.ts';

export const actionTypeSpec = object('A name for something that workflows do.', {
  name: text('The name, in upper camel case; only the description may change later.', {
    max: 255,
    pattern: PASCAL_CASE,
    rules: [immutable('name')],
  }),
  description: purpose('What the name stands for.'),
});

export const actionTypeStatus = partial('Its state in the catalogue.', {
  registered: flag('Whether workflows may use the name.'),
  registeredAt: time('When it was registered in the catalogue.'),
  registeredBy: text('The user who registered it.'),
  previouslyExisted: flag('Whether the name had been registered before.'),
  catalogStatus: text('Whether it can be used: Active or Disabled.', { max: 63 }),
  activeWorkflowCount: int32('Workflows that use the name.', { min: 0 }),
  conditions: conditions(['Ready']),
});

/** One word of the taxonomy. */
export const ActionType = defineKind({
  ...PIPELINE,
  kind: 'ActionType',
  plural: 'actiontypes',
  shortNames: ['at'],
  description:
    'A name for something that workflows do, such as RestartPod. Workflows refer to it, and the analyst chooses among these names first.',
  spec: actionTypeSpec,
  status: actionTypeStatus,
  selectableFields: ['spec.name'],
  columns: [
    { name: 'Action Type', type: 'string', path: '.spec.name' },
    { name: 'Description', type: 'string', path: '.spec.description.what' },
    AGE,
    { name: 'Workflows', type: 'integer', path: '.status.activeWorkflowCount', priority: 1 },
    { name: 'Registered', type: 'boolean', path: '.status.registered', priority: 1 },
  ],
  sample: actionTypeSample,
});
export type ActionType = ObjectOf<typeof ActionType>;
