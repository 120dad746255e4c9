/**
 * The engines: systems of the cluster that can run a workflow as an object which is created suspended and released once.
 *
 * - `engine.ts` is what each of them can do; `job/` is the Job, `tekton/` the PipelineRun, `evidence/` what pods and Events report of a run.
 * - `../run/locked-run.ts` is a run of any of them, as the lock and the two-step start see it.
 */
import type { KubeObject } from '../../../api/meta.ts';
import { PlatformError } from '../../../base/index.ts';
import type { RunEngine } from './engine.ts';
import { jobEngine } from './job/job-engine.ts';
import { tektonEngine } from './tekton/tekton-engine.ts';

export type { RunEngine, RunResult } from './engine.ts';

/** All of them. Whatever has the name of a target's run counts as a run on that target, whichever engine made it. */
export const RUN_ENGINES: readonly RunEngine[] = [jobEngine, tektonEngine];

/** The engine that a workflow asks for. */
export const engineNamed = (name: string | undefined): RunEngine | undefined => RUN_ENGINES.find((engine) => engine.name === name);

/** The engine that made a run. */
export function engineOf(run: KubeObject): RunEngine {
  const engine = RUN_ENGINES.find(({ resource }) => resource.kind === run.kind);
  if (!engine) throw new PlatformError('Internal', `no engine runs a ${run.kind}`, { retry: 'never' });
  return engine;
}
