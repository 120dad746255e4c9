/**
 * Receives signals: each alert becomes a RemediationRequest, or an answer that says why not.
 *
 * - `createGateway` (gateway.ts) receives the body of a webhook and returns an answer; `signalRoutes` serves it over HTTP.
 * - `adapters/` turn what sources send into `Signal`s; `receive-signal.ts` decides on one signal (`SignalVerdict`), and is where to start.
 * - `senders/` decide who may send signals, before a body is read.
 * - On the way: `find-target.ts` (the top owner), `failed-node.ts` (the Node that made it unhealthy), the room `scope`, `draft-request.ts`, `record-signal.ts` (what a request knows of its signals).
 *   Fingerprints, names and what earlier requests say are in ../api/remediation-request: every room that opens requests uses them.
 *
 * Nothing is kept in memory and nothing is locked: every read is live, and names are derived, so that two gateways, or one
 * that receives a signal twice, open one request.
 */
export { alertmanager } from './adapters/alertmanager.ts';
export { kubernetesEvent } from './adapters/kubernetes-event.ts';
export { findTarget, metadataFetch, type Target } from './find-target.ts';
export { createGateway, type Gateway } from './gateway.ts';
export { readJson } from './http/read-json.ts';
export { createGatewayMetrics, type GatewayMetrics } from './gateway-metrics.ts';
export { reviewedSenders, type TokenReviews } from './senders/reviewed-senders.ts';
export type { Senders } from './senders/senders.ts';
export { tokenFileSenders } from './senders/token-file.ts';
export { signalRoutes } from './signal-routes.ts';
