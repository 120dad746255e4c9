import { CONDITION_TYPE_PATTERN, enumOf, int64, list, object, optional, partial, text, time } from '../schema/index.ts';

/** Conditions of the old and the new style of Cluster API in one shape: severity belongs to the old one, reason may be absent there. */
export const looseConditions = (known: readonly string[]) =>
  list(
    `Conditions of the object: ${known.join(', ')}.`,
    object('One condition of the object.', {
      type: text('Type of the condition.', { max: 316, pattern: CONDITION_TYPE_PATTERN }),
      status: enumOf('Whether it holds.', ['True', 'False', 'Unknown']),
      severity: optional(enumOf('Severity when the condition is not True; old style only.', ['Error', 'Warning', 'Info', ''])),
      reason: optional(text('Why, in one word for programs.', { max: 1024 })),
      message: optional(text('Why, in a sentence for people.', { max: 32768 })),
      lastTransitionTime: time('When the status last changed.'),
      observedGeneration: optional(int64('Generation of the spec that the condition is about.', { min: 0 })),
    }),
    { max: 64, keys: ['type'] },
  );

/** Where the other style is kept: v1beta1 shows the new one aside, v1beta2 the old one. */
export const conditionsAside = (known: readonly string[]) => ({
  v1beta2: partial('Conditions of the new style, as v1beta1 shows them.', { conditions: looseConditions(known) }),
  deprecated: partial('Conditions of older versions.', {
    v1beta1: partial('Conditions of the old style, as v1beta2 shows them.', { conditions: looseConditions(known) }),
  }),
});
