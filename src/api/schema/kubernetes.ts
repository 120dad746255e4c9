import Type, { type TUnsafe } from 'typebox';
import type { Condition, LabelSelector, ObjectReference } from '../meta.ts';
import { list, map, object, optional, partial, texts } from './containers.ts';
import { enumOf, int64, text, time } from './scalars.ts';

/** A qualified condition name: an optional DNS prefix and a CamelCase or dashed name. */
export const CONDITION_TYPE_PATTERN =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

/** The usual list of conditions; `known` names the types that this kind shows. */
export const conditions = (known: readonly string[]): TUnsafe<Condition[]> =>
  Type.Unsafe<Condition[]>(list(`Conditions of the object: ${known.join(', ')}.`, condition, { max: 32, keys: ['type'] }));

const condition = object('One condition of the object.', {
  type: text('Type of the condition.', { max: 316, pattern: CONDITION_TYPE_PATTERN }),
  status: enumOf('Whether it holds.', ['True', 'False', 'Unknown']),
  reason: text('Why, in one word for programs.', { min: 1, max: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
  message: text('Why, in a sentence for people; may be empty.', { max: 32768 }),
  lastTransitionTime: time('When the status last changed.'),
  observedGeneration: optional(int64('Generation of the spec that the condition is about.', { min: 0 })),
});

/** corev1.ObjectReference. */
export const objectReference = (description: string, options: { readonly nameRequired?: boolean } = {}): TUnsafe<ObjectReference> =>
  Type.Unsafe<ObjectReference>(
    options.nameRequired
      ? object(description, { ...referenceMembers, name: referenceName })
      : partial(description, { ...referenceMembers, name: referenceName }),
  );

const referenceName = text('Name of the object.', { min: 1, max: 253 });

const referenceMembers = {
  apiVersion: optional(text('API group and version of the object.', { max: 317 })),
  kind: optional(text('Kind of the object.', { max: 63 })),
  namespace: optional(text('Namespace of the object; empty for its own or for cluster-scoped ones.', { max: 63 })),
  uid: optional(text('UID of the object, so that a later one of the same name is not mistaken for it.', { max: 128 })),
  resourceVersion: optional(text('Version of the object that was seen.', { max: 128 })),
  fieldPath: optional(text('Field of the object that is referred to.', { max: 1024 })),
};

/** A reference to an object of this namespace whose kind is known from the field. */
export const localReference = (description: string) =>
  object(description, {
    name: text('Name of the object.', { min: 1, max: 253 }),
    uid: optional(text('UID of the object, so that a later one of the same name is not mistaken for it.', { max: 128 })),
  });

/** metav1.LabelSelector, not empty, with the checks that the API server makes for built-in kinds. */
export const labelSelector = (description: string): TUnsafe<LabelSelector> =>
  Type.Unsafe<LabelSelector>(
    partial(
      description,
      {
        matchLabels: map('Labels that must be there with exactly these values.', Type.Unsafe<string>({ type: 'string', maxLength: 63 }), {
          max: 64,
        }),
        matchExpressions: list('Further requirements; all must hold.', requirement, { max: 64, atomic: true }),
      },
      {
        rules: [
          {
            rule: '(has(self.matchLabels) && size(self.matchLabels) > 0) || (has(self.matchExpressions) && size(self.matchExpressions) > 0)',
            message: 'selector must not be empty',
          },
        ],
      },
    ),
  );

const requirement = object(
  'One requirement on one label.',
  {
    key: text('The label.', { min: 1, max: 317 }),
    operator: enumOf('How the label is compared with the values.', ['In', 'NotIn', 'Exists', 'DoesNotExist']),
    values: optional(texts('The values that In and NotIn compare with.', { max: 64, maxLength: 63, atomic: true })),
  },
  {
    rules: [
      {
        rule: "self.operator in ['In', 'NotIn'] ? has(self.values) && size(self.values) > 0 : !has(self.values) || size(self.values) == 0",
        message: 'In and NotIn need values, Exists and DoesNotExist take none',
        fieldPath: '.values',
      },
    ],
  },
);
