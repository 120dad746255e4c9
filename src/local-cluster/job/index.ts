/**
 * Jobs of one pod that runs at most once, as `backoffLimit: 0` asks for: `decide.ts` is their life, `job-pod.ts` their pod, `observe.ts` what is
 * asked of the server before a Job is called lost or late. `parallelism` and `completions` beyond one, retries and `ttlSecondsAfterFinished` are not played.
 */
import { Job, Pod } from '../../api/builtin/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { controllerKeys } from '../controlled-by.ts';
import { decide } from './decide.ts';
import { observe, type JobSeen } from './observe.ts';

/** Runs Jobs. */
export const jobController: Controller<JobSeen> = {
  name: 'job',
  primary: Job,
  watches: [{ resource: Pod, keys: controllerKeys('Job') }],
  observe,
  decide,
};
