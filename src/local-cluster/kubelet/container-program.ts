import type { Container, PodSpec } from '../../api/builtin/index.ts';
import { parseDuration, SECOND } from '../../base/index.ts';

/** What a container does, as far as a cluster that is only played can tell. */
export type Program =
  /** Runs for a while, then exits; without a duration it runs for ever. */
  | { readonly kind: 'script'; readonly durationMs: number | undefined; readonly exitCode: number }
  /** Runs as a real process of this machine. */
  | { readonly kind: 'process' }
  /** Cannot be run here: the reason is that of the real kubelet, the message says what to do. */
  | { readonly kind: 'refused'; readonly reason: 'ErrImagePull' | 'CreateContainerConfigError'; readonly message: string };

/** Runs until it is stopped. */
const FOR_EVER: Program = { kind: 'script', durationMs: undefined, exitCode: 0 };

/**
 * Reads what the container does from its command and arguments, so that the same manifest does the same on a real cluster: `sleep N` and
 * `exit N`, plain or behind `sh -c` and then joined by `;` or `&&`, and `true` or `false` alone. Of what it cannot read, a service is taken
 * to run for ever, but a task is refused: it must not be reported as done.
 */
export function programOf(container: Container, pod: PodSpec, runs: (image: string) => boolean): Program {
  const image = container.image ?? '';
  if (runs(image) && container.command === undefined) return processOf(container, pod, runs);
  const script = readScript([...(container.command ?? []), ...(container.args ?? [])]);
  if (script) return script;
  if (runs(image))
    return misconfigured(`container ${container.name} has a command of its own: only the entrypoint of ${image} runs here, so use args`);
  return (pod.restartPolicy ?? 'Always') === 'Always' ? FOR_EVER : missing(image);
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
  message: `image ${JSON.stringify(image)} is not on this machine: the local cluster runs workflows in Sickbay's own Jobs only, and simulates commands made of sleep, exit, true and false`,
});

interface Step {
  readonly durationMs: number | undefined;
  readonly exitCode: number;
  /** Nothing after it is reached. */
  readonly ends: boolean;
}

function readScript(words: readonly string[]): Program | undefined {
  const [shell = '', option, text, ...rest] = words;
  const isShell = /(^|\/)(sh|bash|ash)$/.test(shell) && option === '-c' && text !== undefined && rest.length === 0;
  const lines = (isShell ? text.split(/;|&&|\n/) : [words.join(' ')]).map((line) => line.trim()).filter((line) => line !== '');
  const steps = lines.map(readStep).filter((step) => step !== undefined);
  return steps.length > 0 && steps.length === lines.length ? runThrough(steps) : readTrivial(lines);
}

function readStep(line: string): Step | undefined {
  const [, name, argument] = /^(?:exec\s+)?(?:\S*\/)?(sleep|exit)(?:\s+(\S+))?$/.exec(line) ?? [];
  if (name === 'sleep') return readSleep(argument);
  const isExit = name === 'exit' && /^\d{1,3}$/.test(argument ?? '0');
  return isExit ? { durationMs: 0, exitCode: Number(argument ?? '0'), ends: true } : undefined;
}

function readSleep(argument = ''): Step | undefined {
  if (/^inf(inity)?$/.test(argument)) return { durationMs: undefined, exitCode: 0, ends: true };
  const durationMs = /^\d+(\.\d+)?$/.test(argument) ? Number(argument) * SECOND : parseDuration(argument);
  return durationMs === undefined || durationMs < 0 ? undefined : { durationMs, exitCode: 0, ends: false };
}

function runThrough(steps: readonly Step[]): Program {
  const last = steps.findIndex(({ ends }) => ends);
  const reached = last < 0 ? steps : steps.slice(0, last + 1);
  const isEndless = reached.some(({ durationMs }) => durationMs === undefined);
  const durationMs = isEndless ? undefined : reached.reduce((sum, step) => sum + (step.durationMs ?? 0), 0);
  return { kind: 'script', durationMs, exitCode: reached.at(-1)?.exitCode ?? 0 };
}

/** `/bin/true` and `/bin/false`. */
function readTrivial(lines: readonly string[]): Program | undefined {
  const [, name] = /^(?:\S*\/)?(true|false)$/.exec(lines.length === 1 ? (lines[0] ?? '') : '') ?? [];
  return name === undefined ? undefined : { kind: 'script', durationMs: 0, exitCode: name === 'true' ? 0 : 1 };
}
