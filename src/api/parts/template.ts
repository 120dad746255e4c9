import type { TSchema } from 'typebox';
import { object, optional, partial, textMap } from '../schema/index.ts';

/** The spec of a template kind: what becomes the request stands under `template`. */
export const templateOf = <S extends TSchema>(spec: S) =>
  object('What is copied.', {
    template: object('Template of the request.', {
      metadata: optional(partial('Metadata of the request.', { labels: textMap('Its labels.'), annotations: textMap('Its annotations.') })),
      spec,
    }),
  });
