import { decimal, enumOf, list, object, optional, text, time, type Shape } from '../../api/schema/index.ts';
import { named } from './parts.ts';

/** What Prometheus measured of a target. */
export const remediationMetrics = named(
  'RemediationMetrics',
  object('What Prometheus measured of the target before, during and after the fault.', {
    from: optional(time('Start of what was measured.')),
    to: optional(time('End of it.')),
    faultFrom: optional(time('When the fault began.')),
    ranAt: optional(time('When the workflow started: the end of the fault, as far as metrics are compared.')),
    checkedFrom: optional(time('What was measured from then on counts as after.')),
    metrics: list(
      'The metrics that are compared.',
      object('One metric.', {
        name: text('What it is.'),
        query: text('The query, in PromQL.'),
        better: enumOf('Which direction is better.', ['lower', 'higher']),
        during: optional(decimal('The average during the fault, as it is compared.')),
        after: optional(decimal('The average after the remediation, as it is compared.')),
        samples: list('What was measured, in order.', object('One value.', { at: time('When.'), value: decimal('The value.') })),
      }),
    ),
    message: optional(text('Why there are none, or not all.')),
  }),
);
export type RemediationMetrics = Shape<typeof remediationMetrics>;

/** The objects of a remediation as they are stored. */
export const remediationObjects = named(
  'RemediationObjects',
  object('The remediation and its children, as they are stored.', {
    objects: list(
      'In the order in which they are made.',
      object('One object.', {
        kind: text('Its kind.'),
        name: text('Its name.'),
        yaml: optional(text('The object in YAML; long ones are cut off.')),
        problem: optional(text('Why it could not be read.')),
      }),
    ),
  }),
);
export type RemediationObjects = Shape<typeof remediationObjects>;
