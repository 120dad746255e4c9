import { Lease } from '../../../api/builtin/index.ts';
import { observeAfterEnd } from '../engines/awx/observe-awx-job.ts';
import { NOT_READ, type ExecutionContext, type FinishedExecution } from '../observed-execution.ts';
import { cachedRun, preferOwn, readPods, liveRun } from '../run/read-run.ts';
import { mayUnlock } from './choose-reads.ts';

/** Reads what is left of an execution that is finished. Its own objects carry its labels, so the cache has them. */
export async function observeFinished(context: ExecutionContext): Promise<FinishedExecution> {
  const { object, reader, key, settings } = context;
  const lock = reader.get(Lease, key);
  const first = preferOwn(object.metadata.uid, object.status?.executionRef?.uid);
  const known = cachedRun(reader, key, first);
  const isLive = mayUnlock(context, { lock, run: known });
  const run = isLive ? await liveRun(reader, key, first) : known;
  const pods = isLive ? await readPods(reader, key) : NOT_READ;
  return { stage: 'finished', object, settings, lock, run, pods, awx: await observeAfterEnd(context) };
}
