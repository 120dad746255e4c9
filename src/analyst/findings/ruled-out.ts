import type { Pod } from '../../api/builtin/index.ts';
import { containersOf, isReady } from '../pod-state.ts';
import type { Surroundings } from '../surroundings/surroundings.ts';

/** What the evidence speaks against, with the evidence. Only what was read is ruled out. */
export function ruledOut(pods: readonly Pod[], around: Surroundings | undefined): readonly string[] {
  const bad = pods.filter((pod) => !isReady(pod));
  if (bad.length === 0) return [];
  return CHECKS.flatMap((check) => check(bad, around) ?? []);
}

type Check = (bad: readonly Pod[], around: Surroundings | undefined) => string | undefined;

const CHECKS: readonly Check[] = [
  (bad) => (bad.every(({ spec }) => spec.nodeName !== undefined) ? 'scheduling: every pod has a node' : undefined),
  (bad) => (bad.every(hasStarted) ? 'the images: containers of every pod have started' : undefined),
  (bad) => (bad.every(hasStarted) && !bad.some(wasKilledForMemory) ? 'memory: no container was killed for it' : undefined),
  (_bad, around) =>
    around && around.dependencies.length > 0 && around.dependencies.every(({ exists, readyPods = 1 }) => exists && readyPods > 0)
      ? `the services that it names: ${around.dependencies.map(({ service }) => service).join(', ')} have ready pods`
      : undefined,
];

const hasStarted = (pod: Pod): boolean => {
  const containers = containersOf(pod);
  return (
    containers.length > 0 &&
    containers.every(({ state, lastState }) => Boolean(state?.running ?? state?.terminated ?? lastState?.terminated))
  );
};

const wasKilledForMemory = (pod: Pod): boolean =>
  containersOf(pod).some(({ state, lastState }) => [state?.terminated, lastState?.terminated].some((end) => end?.reason === 'OOMKilled'));
