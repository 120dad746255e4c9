/**
 * The kubelet and, there being one node, the scheduler too. `container-program.ts` reads what a container does, `container-timeline.ts` is
 * its life as a pure function of status, program and time; `decide.ts` puts the pod together. Containers that are real processes run
 * through `process-table.ts` on a `RunProcess`; `process-runner.ts` is the one with child processes.
 */
import { Job, Node, Pod, type Container } from '../../api/builtin/index.ts';
import type { CallHandler, Controller } from '../../runtime/index.ts';
import { podEvents } from '../telling/pod-events.ts';
import { decide, START_PROCESS, STOP_PROCESS } from './decide.ts';
import { observe, type MayRun, type PodSeen } from './observe.ts';
import type { ProcessTable } from './process-table.ts';
import type { ProcessAccount } from './run-process.ts';

/** Runs the pods of the one node. */
export const createKubelet = (processes: ProcessTable, mayRun: MayRun): Controller<PodSeen> => ({
  name: 'kubelet',
  primary: Pod,
  watches: [
    { resource: Node, keys: () => [] },
    { resource: Job, keys: () => [] },
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
