import { CronJob, Job, Pod, resourceOfKind } from '../api/builtin/index.ts';
import type { KubeObject, LabelSelector } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import type { PodSpec } from '../api/builtin/index.ts';
import { isObject } from '../base/index.ts';
import { controllerOf } from '../kube/objects/owner-references.ts';
import type { Listed } from '../kube/client/read.ts';
import { formatLabelSelector, labelRequirements } from '../kube/selectors/index.ts';
import type { EvidenceReader } from './evidence-reader.ts';
import type { Evidence, Target } from './evidence.ts';
import { readSurroundings } from './surroundings/read-surroundings.ts';

/** Kinds whose pods are theirs by owner; the other kinds with a selector only select them. */
const OWNERS: readonly string[] = ['StatefulSet', 'DaemonSet', 'Job', 'ReplicaSet'];
const MOST_JOBS = 3;

/** Reads an object of any kind but Deployment and Node, with the pods that belong to it and what surrounds them. */
export async function objectEvidence(resource: Resource<KubeObject>, target: Target, reader: EvidenceReader): Promise<Evidence> {
  const read = await reader.fetch(resource, { namespace: target.namespace ?? '', name: target.name });
  if (read.kind === 'absent') return { kind: 'Absent', target };
  if (read.kind === 'unreadable') return { kind: 'Unreadable', target, reason: `reading it: ${read.reason}` };
  const object = read.value;
  const jobs = await jobsOf(object, reader);
  if (jobs.kind === 'unreadable') return { kind: 'Unreadable', target, reason: `listing its Jobs: ${jobs.reason}` };
  const pods = await podsOf(object, jobs.value, reader);
  if (pods.kind === 'unreadable') return { kind: 'Unreadable', target, reason: `listing its Pods: ${pods.reason}` };
  const services = object.kind === 'Ingress' ? { services: backendsOf(object) } : {};
  const hood = { target: object, owned: jobs.value, pods: pods.value, podSpec: podSpecOf(object), ...services };
  const around = await readSurroundings(hood, reader);
  return { kind: 'Object', target, object, jobs: jobs.value, pods: pods.value, around };
}

/** The newest Jobs of a CronJob. */
async function jobsOf(object: KubeObject, reader: EvidenceReader): Promise<Listed<Job>> {
  if (resourceOfKind(object.kind, object.apiVersion) !== CronJob) return { kind: 'value', value: [] };
  const jobs = await reader.fetchList(Job, { namespace: object.metadata.namespace ?? '' });
  if (jobs.kind === 'unreadable') return jobs;
  const own = jobs.value.filter((job) => controllerOf(job)?.uid === object.metadata.uid);
  return { kind: 'value', value: own.toSorted(newestFirst).slice(0, MOST_JOBS) };
}

const newestFirst = (a: KubeObject, b: KubeObject): number => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1);

async function podsOf(object: KubeObject, [newest]: readonly Job[], reader: EvidenceReader): Promise<Listed<Pod>> {
  if (object.kind === Pod.kind) return { kind: 'value', value: [object as Pod] };
  const owner = newest ?? object;
  const selector = selectorOf(owner);
  if (!selector) return { kind: 'value', value: [] };
  const labelSelector = formatLabelSelector(labelRequirements(selector));
  const pods = await reader.fetchList(Pod, { namespace: object.metadata.namespace ?? '', labelSelector });
  if (pods.kind === 'unreadable' || !OWNERS.includes(owner.kind)) return pods;
  return { kind: 'value', value: pods.value.filter((pod) => controllerOf(pod)?.uid === owner.metadata.uid) };
}

/** A Service has plain labels, the others a LabelSelector. */
function selectorOf(object: KubeObject): LabelSelector | undefined {
  const { selector } = specOf(object);
  if (![...OWNERS, 'Service', 'PodDisruptionBudget'].includes(object.kind)) return undefined;
  if (!isObject(selector) || Object.keys(selector).length === 0) return undefined;
  return object.kind === 'Service' ? { matchLabels: selector as Readonly<Record<string, string>> } : (selector as LabelSelector);
}

/** The pod spec of a workload, or of a pod; undefined for all other kinds. */
export function podSpecOf(object: KubeObject): PodSpec | undefined {
  const spec = specOf(object);
  if (object.kind === Pod.kind) return spec as unknown as PodSpec;
  const inner = object.kind === CronJob.kind && isObject(spec['jobTemplate']) ? spec['jobTemplate']['spec'] : spec;
  const template = isObject(inner) ? inner['template'] : undefined;
  return isObject(template) ? (template['spec'] as unknown as PodSpec) : undefined;
}

const specOf = (object: KubeObject): Readonly<Record<string, unknown>> => {
  const { spec } = object as { readonly spec?: unknown };
  return isObject(spec) ? spec : {};
};

const MOST_BACKENDS = 6;

/** The Services that an Ingress names, as far as its spec has the usual form. */
function backendsOf(object: KubeObject): readonly string[] {
  const { defaultBackend, rules = [] } = specOf(object) as IngressSpec;
  const backends = [defaultBackend, ...rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend))];
  return [...new Set(backends.flatMap((backend) => backend?.service?.name ?? []))].slice(0, MOST_BACKENDS);
}

interface Backend {
  readonly service?: { readonly name?: string };
}

interface IngressSpec {
  readonly defaultBackend?: Backend;
  readonly rules?: readonly { readonly http?: { readonly paths?: readonly { readonly backend?: Backend }[] } }[];
}
