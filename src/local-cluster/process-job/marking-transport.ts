import { isObject } from '../../base/index.ts';
import type { PodSpec } from '../../api/builtin/index.ts';
import type { ApiRequest, Transport } from '../../kube/client/transport.ts';
import { markOf, PROCESS_MARK } from './process-mark.ts';

/** Sickbay's own way to the server: the Jobs that it creates in the execution namespace are marked as ones that run as processes. */
export const markingTransport = (transport: Transport, executionNamespace: () => string): Transport => ({
  request: (request, signal) => transport.request(marked(request, executionNamespace()), signal),
  watch: (request, signal) => transport.watch(request, signal),
});

function marked(request: ApiRequest, namespace: string): ApiRequest {
  const { method, path, body } = request;
  if (method !== 'POST' || path !== `/apis/batch/v1/namespaces/${namespace}/jobs`) return request;
  const spec = podSpecIn(body);
  if (!isObject(body) || !spec) return request;
  const metadata = isObject(body.metadata) ? body.metadata : {};
  const annotations = { ...(metadata.annotations as object | undefined), [PROCESS_MARK]: markOf(spec) };
  return { ...request, body: { ...body, metadata: { ...metadata, annotations } } };
}

function podSpecIn(job: unknown): PodSpec | undefined {
  const spec = isObject(job) && isObject(job.spec) ? job.spec : {};
  const template = isObject(spec.template) ? spec.template : {};
  return isObject(template.spec) && Array.isArray(template.spec.containers) ? (template.spec as unknown as PodSpec) : undefined;
}
