/**
 * Bodies in protobuf, which Go clients, including kubectl's imperative commands, send for built-in kinds whatever media types the server
 * offers. Answers are always JSON, which they all read.
 *
 * - Start at `read-protobuf.ts`: `readProtobuf` converts a body to what it would be in JSON.
 * - `wire.ts` splits messages into fields; `message-types.ts` has the names and types of field numbers, from `fields.json`;
 *   `special-values.ts` are the types with another form in JSON.
 */
export { readProtobuf } from './read-protobuf.ts';
