import type { Static, TSchema } from 'typebox';

/** The TypeScript type behind a schema, readonly all the way down. */
export type Shape<S extends TSchema> = Frozen<Static<S>>;

type Frozen<T> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Frozen<T[K]> }
      : T;
