import type { Container } from '../../api/builtin/index.ts';
import { after, messageOf } from '../../base/index.ts';
import type { RunProcess } from '../../local-cluster/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { workflows } from '../../../workflows/registry.ts';
import type { Workflow } from '../../../workflows/workflow.ts';
import type { Ledger } from './ledger.ts';

/** Runs workflows in this process and in virtual time: the code is the real one, only the way to the server is short. */
export function playWorkflows(simulation: Simulation, ledger: Ledger, workflow: Workflow | 'library'): RunProcess {
  const stopped = new Set<string>();
  return {
    runs: (image) => image.startsWith('sickbay/workflows:'),
    async start(podUid, container) {
      const env = environmentOf(container);
      ledger.running.set(podUid, env['TARGET_RESOURCE'] ?? 'unknown');
      simulation.journal.note('node', () => `runs ${env['WORKFLOW_EXECUTION'] ?? 'nobody’s workflow'}`);
      await pause(simulation);
      const end = stopped.has(podUid)
        ? { exitCode: 137, message: 'killed' }
        : await run(() => named(container, workflow)(simulation.admin, env, { clock: simulation.clock }));
      ledger.running.delete(podUid);
      ledger.ended.push(end.exitCode);
      simulation.journal.note('node', () => `${env['WORKFLOW_EXECUTION'] ?? ''} ended: ${end.exitCode} ${end.message}`);
      return end;
    },
    stop: (podUid) => void stopped.add(podUid),
  };
}

/** The one of the library that the container is told to run. */
function named({ args: [name = ''] = [] }: Container, workflow: Workflow | 'library'): Workflow {
  const found = workflow === 'library' ? workflows[name] : workflow;
  if (!found) throw new Error(`there is no workflow ${name}`);
  return found;
}

const environmentOf = ({ env = [] }: Container): Readonly<Record<string, string>> =>
  Object.fromEntries(env.map(({ name, value = '' }) => [name, value]));

const pause = ({ clock, random }: Simulation): Promise<void> =>
  clock.waitUntil(after(clock.now(), 500 + random.int(8_000)), new AbortController().signal);

async function run(work: () => Promise<string>): Promise<{ readonly exitCode: number; readonly message: string }> {
  try {
    return { exitCode: 0, message: await work() };
  } catch (error) {
    return { exitCode: 1, message: messageOf(error) };
  }
}
