import { ConfigMap, Job, Node, Pod, Secret } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import { isLocalNode, NODE_NAME } from '../node/node-name.ts';
import type { Sources } from './container-environment.ts';
import { programOf, type Program } from './container-program.ts';
import type { ProcessState, ProcessTable } from './process-table.ts';
import type { Candidate } from './schedule.ts';

/** All that a decision about a pod rests on. */
export interface PodSeen {
  readonly object: Pod;
  /** The node that the pod is bound to; absent where it has none. */
  readonly node: Read<Node>;
  /** The nodes that may take it; none is read where it is bound. */
  readonly candidates: Listed<Candidate>;
  /** What each container does, in the order of the spec. */
  readonly programs: readonly Program[];
  readonly process: ProcessState;
  readonly life: string;
}

/** Whether a pod may run as a process, given the Job that manages it. */
export type MayRun = (pod: Pod, job: Job) => boolean;

/** Reads the pod and looks at its process, as a kubelet asks its container runtime. */
export const observe =
  (processes: ProcessTable, mayRun: MayRun) =>
  (key: ObjectKey, reader: Reader): PodSeen | undefined => {
    const pod = reader.get(Pod, key);
    if (pod.kind !== 'value') return undefined;
    const object = pod.value;
    const process = processes.stateOf(object.metadata.uid);
    // What was started stays a process to its end, whatever becomes of its Job.
    const isOurs = process.kind !== 'unknown' || isAllowed(object, reader, mayRun);
    const { nodeName, containers } = object.spec;
    const runs = (image: string): boolean => isOurs && processes.runs(image);
    const sources = sourcesOf(object, reader);
    const programs = containers.map((container) => programOf(container, object.spec, runs, sources));
    const isProcess = programs.some(({ kind }) => kind === 'process');
    return {
      object,
      node: nodeName === undefined ? { kind: 'absent' } : reader.get(Node, { namespace: '', name: nodeName }),
      candidates: nodeName === undefined ? candidatesFor(isProcess, reader) : { kind: 'value', value: [] },
      programs,
      process,
      life: processes.life,
    };
  };

/** Processes run on the first node, all other pods on any. */
function candidatesFor(isProcess: boolean, reader: Reader): Listed<Candidate> {
  const [nodes, pods] = [reader.list(Node), reader.list(Pod)];
  if (nodes.kind === 'unreadable') return nodes;
  if (pods.kind === 'unreadable') return pods;
  const takers = nodes.value.filter((node) => isLocalNode(node) && (!isProcess || node.metadata.name === NODE_NAME));
  const running = pods.value.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
  const onNode = ({ metadata }: Node) => running.filter(({ spec }) => spec.nodeName === metadata.name).map(({ spec }) => spec);
  return { kind: 'value', value: takers.map((node) => ({ node, pods: onNode(node) })) };
}

/** The ConfigMaps and Secrets of the pod's namespace. */
function sourcesOf({ metadata }: Pod, reader: Reader): Sources {
  const namespace = metadata.namespace ?? '';
  return {
    namespace,
    read(kind, name) {
      const found = kind === 'secret' ? reader.get(Secret, { namespace, name }) : reader.get(ConfigMap, { namespace, name });
      if (found.kind === 'absent') return undefined;
      return found.kind === 'value' ? valuesOf(kind, found.value.data) : {};
    },
  };
}

const valuesOf = (kind: 'configmap' | 'secret', data: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  kind === 'configmap'
    ? data
    : Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString('utf8')]));

function isAllowed(pod: Pod, reader: Reader, mayRun: MayRun): boolean {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'Job') return false;
  const job = reader.get(Job, { namespace: pod.metadata.namespace ?? '', name: owner.name });
  return job.kind === 'value' && mayRun(pod, job.value);
}
