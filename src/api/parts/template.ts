import type { TSchema } from 'typebox';
import { object, optional, partial, textMap } from '../schema/index.ts';

/** The spec of a template kind: what becomes the request stands under `template`. */
export const templateOf = <S extends TSchema>(spec: S) =>
  object('What is copied.', {
    template: object('The request to be.', {
      metadata: optional(
        partial('What else the request carries.', { labels: textMap('Its labels.'), annotations: textMap('Its annotations.') }),
      ),
      spec,
    }),
  });
