import type { Container, PodSpec } from '../../api/builtin/index.ts';
import { thousandths } from '../../base/quantity.ts';
import { commandOf, isConfigured, type Sources } from './container-environment.ts';
import { readScript, type Script } from './container-script.ts';
import { imageProblem } from './image-problem.ts';

/** What a container does, as far as a cluster that is only played can tell. */
export type Program =
  /** Runs for a while, then exits; without a duration it runs for ever. */
  | (Script & { readonly kind: 'script'; readonly isConfigured?: true })
  /** Runs as a real process of this machine. */
  | { readonly kind: 'process' }
  /** Cannot be run here: the reason is that of the real kubelet, the message says what to do. */
  | {
      readonly kind: 'refused';
      readonly reason: 'ErrImagePull' | 'InvalidImageName' | 'CreateContainerConfigError';
      readonly message: string;
    };

/** Runs until it is stopped. */
const FOR_EVER: Program = { kind: 'script', durationMs: undefined, exitCode: 0 };

/** No object beside the pod is read. */
const NO_SOURCES: Sources = { namespace: '', read: () => ({}) };

/**
 * Reads what the container does from its image, environment, command and arguments, so that the same manifest does the same on a real cluster
 * (`container-script.ts`). Of what it cannot read, a service is taken to run for ever, but a task is refused: it must not be reported as done.
 */
export function programOf(container: Container, pod: PodSpec, runs: (image: string) => boolean, sources: Sources = NO_SOURCES): Program {
  const { image = '' } = container;
  if (runs(image) && container.command === undefined) return processOf(container, pod, runs);
  const problem = imageProblem(image);
  if (problem) return { kind: 'refused', ...problem };
  const expanded = commandOf(container, sources);
  if ('problem' in expanded) return misconfigured(expanded.problem);
  const script = readScript(expanded.words, memoryLimitOf(container));
  if (script) return { kind: 'script', ...script, ...(isConfigured(container) && { isConfigured: true }) };
  return runs(image) ? ownCommand(container) : unread(image, pod);
}

const ownCommand = ({ name, image = '' }: Container): Program =>
  misconfigured(`container ${name} has a command of its own: only the entrypoint of ${image} runs here, so use args`);

const unread = (image: string, { restartPolicy = 'Always' }: PodSpec): Program => (restartPolicy === 'Always' ? FOR_EVER : missing(image));

/** In bytes. */
function memoryLimitOf({ resources }: Container): number {
  const limit = thousandths(resources?.limits?.['memory']);
  return limit === undefined ? Infinity : Number(limit / 1000n);
}

/** The repository of an image, without its tag or digest; a port in the registry's address stays. */
export const repositoryOf = (image: string): string => image.replace(/@.*$/, '').replace(/:[^:/]*$/, '');

function processOf(container: Container, pod: PodSpec, runs: (image: string) => boolean): Program {
  const first = pod.containers.find(({ image = '', command }) => runs(image) && command === undefined);
  if (first?.name !== container.name)
    return misconfigured(`container ${container.name} is the second that runs as a process: only one of a pod can`);
  const borrowed = container.env?.find(({ valueFrom }) => valueFrom !== undefined)?.name;
  if (borrowed !== undefined)
    return misconfigured(`variable ${borrowed} of container ${container.name} has no value of its own: give it one`);
  if (container.envFrom?.length)
    return misconfigured(`container ${container.name} uses envFrom, which is not read here: name each variable in env`);
  return { kind: 'process' };
}

const misconfigured = (message: string): Program => ({ kind: 'refused', reason: 'CreateContainerConfigError', message });

const missing = (image: string): Program => ({
  kind: 'refused',
  reason: 'ErrImagePull',
  message: `image ${JSON.stringify(image)} is not on this machine: the local cluster runs workflows in Sickbay's own Jobs only, and simulates commands made of sleep, echo, exit, true and false`,
});
