/**
 * Bodies in protobuf, which Go clients, kubectl's imperative commands among them, send for built-in kinds whatever the server
 * says that it takes. Answers are always JSON, which they all read.
 *
 * - Start at `read-protobuf.ts`: `readProtobuf` makes of a body what it would be in JSON.
 * - `wire.ts` takes messages apart; `message-types.ts` knows what their numbers mean, from `fields.json`;
 *   `special-values.ts` are the types that look different in JSON.
 */
export { readProtobuf } from './read-protobuf.ts';
