import { messageOf, SECOND, steadyClock } from '../../src/base/index.ts';
import type { Day } from './day.ts';
import type { Fault } from './fault.ts';
import type { Result } from './report.ts';
import { Stage } from './stage.ts';

/** Replays one fault to its end. */
export async function replayFault(day: Day, fault: Fault, keepsNamespace = false): Promise<Result> {
  const stage = new Stage(day, fault.name);
  stage.say(`BEGINS: ${fault.expected}`);
  try {
    await fault.run(stage);
  } catch (error) {
    stage.wrongs.push(messageOf(error));
  }
  const last = stage.courses().at(-1);
  if (last) await stage.explain(last);
  for (const wrong of stage.wrongs) stage.say(`WRONG: ${wrong}`);
  stage.say(stage.wrongs.length === 0 ? 'OK' : 'NOT OK');
  if (!keepsNamespace) await stage.close().catch((error: unknown) => stage.wrongs.push(messageOf(error)));
  return { fault, stage, seconds: (steadyClock.now() - stage.beganAt) / SECOND };
}

/** One after the other on one cluster: each begins when one of the others is over, so many at once; those that have to be alone at the end. */
export async function replayDay(day: Day, faults: readonly Fault[], atOnce: number): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = faults.filter(({ isAlone }) => !isAlone);
  const work = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) results.push(await replayFault(day, fault));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const fault of faults) if (fault.isAlone) results.push(await replayFault(day, fault));
  return results;
}
