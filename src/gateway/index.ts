/**
 * Takes signals in: an alert becomes a RemediationRequest, or a reason why not.
 *
 * - `createGateway` (gateway.ts) takes a webhook's body and gives an answer, without a socket; `signalRoutes` puts it behind one.
 * - `adapters/` turn what sources send into `Signal`s; `take-in.ts` brings one signal to its `Verdict`, and is where to start.
 * - On the way: `find-target.ts` (the top owner), the room `scope`, `draft-request.ts`, `record-signal.ts` (what a request knows of its signals).
 *   Fingerprints, names and what earlier requests say are in ../api/remediation-request: whoever opens requests goes by them.
 *
 * Nothing is kept in memory and nothing is locked: every read is the server's word, and names are derived, so that two gateways, or one
 * that is told twice, open one request.
 */
export { createGateway, type Gateway } from './gateway.ts';
export { signalRoutes } from './signal-routes.ts';
