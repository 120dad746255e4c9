/**
 * The API behind a socket, for kubectl and for processes of our own: `serveApi` is the mirror image of kube's `httpTransport`.
 *
 * - `read-request.ts` turns a request line and headers into an `ApiRequest`, `send-answer.ts` an answer or a watch into bytes.
 * - `listen.ts` says where one may listen, with which certificate, and how long clients may take.
 * - `token-gate.ts` is the simplest door, `../gate.ts` the one with rights; `kubeconfigText` hands out the key.
 */
export { kubeconfigText, type KubeconfigOptions } from './kubeconfig-text.ts';
export { isLoopback, type Listener, type ListenOptions, type Tls, type Trust } from './listen.ts';
export { serveApi, type ApiServerOptions } from './serve-api.ts';
