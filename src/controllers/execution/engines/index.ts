/**
 * The engines: systems of the cluster that can run a workflow as an object which is created held and let go once.
 *
 * - `engine.ts` is what each of them can do; `job-engine.ts` is the Job, `tekton/` the PipelineRun.
 * - `run.ts` is a run of any of them, as the lock and the two-step start see it.
 */
import type { KubeObject } from '../../../api/meta.ts';
import { PlatformError } from '../../../base/index.ts';
import type { Engine } from './engine.ts';
import { jobEngine } from './job/job-engine.ts';
import { tektonEngine } from './tekton/tekton-engine.ts';

export type { Engine, RunEnd } from './engine.ts';

/** All of them. Whatever has the name of a target's run counts as a run on that target, whichever engine made it. */
export const ENGINES: readonly Engine[] = [jobEngine, tektonEngine];

/** The engine that a workflow asks for. */
export const engineNamed = (name: string | undefined): Engine | undefined => ENGINES.find((engine) => engine.name === name);

/** The engine that made a run. */
export function engineOf(run: KubeObject): Engine {
  const engine = ENGINES.find(({ resource }) => resource.kind === run.kind);
  if (!engine) throw new PlatformError('Internal', `no engine runs a ${run.kind}`, { retry: 'never' });
  return engine;
}
