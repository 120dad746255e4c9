import type { Static, TSchema } from 'typebox';
import type { Shape } from '../../api/schema/index.ts';
import type { Caller } from '../access/caller.ts';
import type { RouteId, Routes } from '../contract/index.ts';
import type { Exchange } from './api-routes.ts';

/** An answer that is JSON text already. */
export interface Prepared {
  readonly bytes: Buffer;
}

type Part<R, K extends string> = R extends { readonly [key in K]: infer S extends TSchema } ? Static<S> : unknown;
type Body<R> = R extends { readonly body: infer S extends TSchema } ? { readonly body: Shape<S> } : unknown;

/** What a handler gets: path and query parameters by their names, and the body. */
export type InputOf<K extends RouteId> = Readonly<Part<Routes[K], 'params'> & Part<Routes[K], 'query'> & Body<Routes[K]>>;

/** What a handler answers. */
export type AnswerOf<K extends RouteId> = Shape<Routes[K]['answer']>;

type Handler<K extends RouteId> = (
  input: InputOf<K>,
  caller: Caller,
  exchange: Exchange,
) => AnswerOf<K> | Prepared | Promise<AnswerOf<K> | Prepared | void> | void;

/** The implementation of every route. */
export type Handlers = { readonly [K in RouteId]: Handler<K> };
