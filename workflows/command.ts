import type { KubeClient } from '../src/kube/client/client.ts';
import { adviceOn } from './advice.ts';
import type { Environment } from './environment.ts';
import { EXIT, Refusal } from './refusal.ts';
import { workflows } from './registry.ts';
import { undoChange } from './undo-change.ts';
import type { Workflow } from './workflow.ts';

/** How a command ended: its exit code and its one text, for stdout when the code is 0 and for stderr otherwise. */
export interface Outcome {
  readonly code: number;
  readonly text: string;
  /** Whether a workflow ran. */
  readonly isWord?: boolean;
}

/** What a command works with. */
export interface Surroundings {
  readonly env: Environment;
  /** Writes a line about what a run waits for to its log. */
  readonly report?: (line: string) => void;
  /** Runs a piece of work with a connection to the cluster, which is closed afterwards. */
  readonly connected: (work: (client: KubeClient) => Promise<string>) => Promise<string>;
}

/** Runs a command line. */
export async function command(words: readonly string[], { env, connected, report }: Surroundings): Promise<Outcome> {
  const { name, mode } = callOf(words);
  // Reads the catalogue, which no run needs.
  if (mode === 'help') return { code: 0, text: await (await import('./help.ts')).helpText(name) };
  if (typeof mode === 'object') return { code: EXIT.invalidParameter, text: mode.wrong };
  const workflow = mode === 'undo' ? undoChange(name) : (workflows[name] as Workflow);
  try {
    const how = { dryRun: mode === 'dry', ...(report && { report }) };
    return { code: 0, text: await connected((client) => workflow(client, env, how)), isWord: true };
  } catch (error) {
    return { code: error instanceof Refusal ? error.exitCode : 1, text: adviceOn(error, name), isWord: true };
  }
}

/** The parsed command line. */
interface Call {
  readonly name: string;
  readonly mode: 'run' | 'dry' | 'undo' | 'help' | { readonly wrong: string };
}

const MODES: ReadonlyMap<string | undefined, Call['mode']> = new Map([
  [undefined, 'run'],
  ['--dry-run', 'dry'],
  ['--undo', 'undo'],
  ['--help', 'help'],
]);

function callOf([name = '', option, ...more]: readonly string[]): Call {
  if (['--help', '-h', 'help'].includes(name)) return { name: '', mode: 'help' };
  if (!Object.hasOwn(workflows, name))
    return { name, mode: { wrong: `no workflow ${JSON.stringify(name)}; there are: ${Object.keys(workflows).join(', ')}` } };
  const mode = more.length > 0 ? undefined : MODES.get(option);
  return { name, mode: mode ?? { wrong: `${name} takes nothing but --dry-run, --undo or --help, and one of them at most` } };
}
