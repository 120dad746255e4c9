import type { TSchema } from 'typebox';
import { enumOf, int32, int64, list, object, optional, text, type Shape } from '../../api/schema/index.ts';

/** Gives a schema its name in the OpenAPI document, where it is referred to instead of repeated. */
export const named = <T extends TSchema>(title: string, schema: T): T => ({ ...schema, title });

/** A resource of the cluster. */
export const resourceRef = named(
  'ResourceRef',
  object('A resource of the cluster.', {
    kind: text('Kind, e.g. Deployment.'),
    namespace: optional(text('Namespace; absent for cluster-scoped resources.')),
    name: text('Name.'),
  }),
);
export type ResourceRef = Shape<typeof resourceRef>;

/** One page of a list: what it holds, how many there are in all, and where the next page begins. */
export const pageOf = <T extends TSchema>(title: string, items: T) =>
  named(
    title,
    object('One page of a list.', {
      items: list('What is on the page.', items),
      total: int32('How many fit the filters, on all pages.', { min: 0 }),
      next: optional(text('Give it as `cursor` to get the next page; absent on the last one.')),
    }),
  );

/** The query parameters of every list. */
export const pageQuery = {
  limit: optional(int32('How many at most.', { min: 1, max: 500, default: 50 })),
  cursor: optional(text('`next` of the page before.', { max: 1024 })),
};

/** A failure, in the form of RFC 9457. */
export const problemSchema = named(
  'Problem',
  object('A failure, in the form of RFC 9457.', {
    type: text('Identifies the kind of failure.'),
    title: text('The failure in a few words.'),
    status: int64('The HTTP status.'),
    detail: text('What failed, why, and what to do.'),
    instance: text('The path that was requested.'),
  }),
);

/** `True`, `False` or `Unknown`, as in conditions. */
export const triState = (description: string) => enumOf(description, ['True', 'False', 'Unknown']);
