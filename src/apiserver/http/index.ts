/**
 * The API over HTTP, for kubectl and other processes: `serveApi` is the counterpart of kube's `httpTransport`.
 *
 * - `read-request.ts` turns a request line and headers into an `ApiRequest`, `send-answer.ts` an answer or a watch into bytes.
 * - `listen.ts` holds the rules for addresses, certificates and timeouts.
 * - `certificate/` makes the certificate of a server on loopback.
 * - `token-gate.ts` checks one token only, `../gate.ts` enforces rights; `kubeconfigText` writes the credentials of a client.
 */
export { loopbackTls } from './certificate/loopback-tls.ts';
export { kubeconfigText, type KubeconfigOptions } from './kubeconfig-text.ts';
export { type Listener, type ListenOptions, type Tls, type Trust } from './listen.ts';
export { serveApi, type ApiServerOptions } from './serve-api.ts';
