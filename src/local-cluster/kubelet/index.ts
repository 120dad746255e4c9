/**
 * The kubelets of all nodes and the scheduler (`schedule.ts`). `container-program.ts` reads what a container does, `container-timeline.ts` is
 * its life as a pure function of status, program and time; `decide.ts` puts the pod together. Containers that are real processes run
 * through `process-table.ts` on a `RunProcess`; `process-runner.ts` is the one with child processes.
 */
import { ConfigMap, Job, Node, Pod, Secret, type Container } from '../../api/builtin/index.ts';
import type { CallHandler, Controller } from '../../runtime/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { isSilent } from '../node/node-name.ts';
import { podEvents } from '../telling/pod-events.ts';
import { decide, START_PROCESS, STOP_PROCESS } from './decide.ts';
import { observe, type MayRun, type PodSeen } from './observe.ts';
import type { ProcessTable } from './process-table.ts';
import type { ProcessAccount } from './run-process.ts';

/** Runs the pods of all nodes. */
export const createKubelet = (processes: ProcessTable, mayRun: MayRun): Controller<PodSeen> => ({
  name: 'kubelet',
  primary: Pod,
  watches: [
    { resource: Pod, indexes: { node: (pod: KubeObject) => [(pod as Pod).spec.nodeName ?? ''] }, keys: () => [] },
    {
      resource: Node,
      keys: ({ metadata }, related) => related(Pod, { index: 'node', value: metadata.name }),
      concerns: (before, after) => isSilent(before as Node) !== isSilent(after as Node),
    },
    { resource: Job, keys: () => [] },
    // Read when a container starts.
    { resource: ConfigMap, keys: () => [] },
    { resource: Secret, keys: () => [] },
  ],
  observe: observe(processes, mayRun),
  decide(seen, now) {
    const decision = decide(seen, now);
    return { ...decision, effects: [...decision.effects, ...podEvents(seen.object, decision.status as Pod['status'])] };
  },
});

/** What the kubelet's decisions call. */
export const kubeletCalls = (processes: ProcessTable): Readonly<Record<string, CallHandler>> => ({
  [START_PROCESS]: ({ key, input, subject }) => Promise.resolve(processes.start(key, input as Container, accountOf(subject as Pod))),
  [STOP_PROCESS]: ({ key }) => Promise.resolve(processes.stop(key)),
});

/** As Kubernetes has it: who names no account has the namespace's own. */
const accountOf = ({ metadata, spec }: Pod): ProcessAccount => ({
  namespace: metadata.namespace ?? '',
  name: spec.serviceAccountName ?? 'default',
  pod: { name: metadata.name, uid: metadata.uid },
});
