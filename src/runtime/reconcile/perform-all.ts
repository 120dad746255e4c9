import type { KubeObject } from '../../api/meta.ts';
import { PlatformError, type ErrorCode } from '../../base/index.ts';
import type { Decision, Effect } from './controller.ts';
import { perform, StaleView, type Performer } from './effects.ts';

/** As many connections as the client opens to one server. */
const AT_A_TIME = 32;

/** Performs what was decided: in order, or, where the decision is split by name, many names at a time. */
export async function performAll({ effects, isSplitByName }: Decision, subject: KubeObject, by: Performer): Promise<void> {
  const inOrder = async (some: readonly Effect[]): Promise<void> => {
    for (const effect of some) await perform(effect, subject, by);
  };
  if (!isSplitByName) return inOrder(effects);
  const { series, others } = inSeries(effects);
  await abreast(series, inOrder);
  await inOrder(others);
}

interface Split {
  readonly series: readonly (readonly Effect[])[];
  readonly others: readonly Effect[];
}

function inSeries(effects: readonly Effect[]): Split {
  const groups = Map.groupBy(effects, (effect) => effect.series ?? nameIn(effect));
  const others = groups.get(undefined) ?? [];
  groups.delete(undefined);
  return { series: [...groups.values()], others };
}

/** The name of the object that an effect changes; undefined where it changes none. */
function nameIn(effect: Effect): string | undefined {
  if ('key' in effect && typeof effect.key === 'object') return effect.key.name;
  return effect.kind === 'Create' ? effect.object.metadata.name : undefined;
}

/** What every other name would meet with too: there is no server to ask, or it wants to be left alone. */
const ENDS_ALL: readonly ErrorCode[] = ['Unavailable', 'TooManyRequests', 'Unauthorized'];

const endsAll = (error: Error): boolean => !(error instanceof PlatformError) || ENDS_ALL.includes(error.code);

/**
 * What is stale or refused is so for one name, and the others continue: a quota or a webhook must not block the rest without end. Any
 * other failure lets no more begin. All that started are awaited: nothing may be written after a pass has ended.
 */
async function abreast(series: readonly (readonly Effect[])[], inOrder: (some: readonly Effect[]) => Promise<void>): Promise<void> {
  const left = series.values();
  const failures: Error[] = [];
  let mayContinue = true;
  const worker = async (): Promise<void> => {
    for (const some of left) {
      if (!mayContinue) return;
      await inOrder(some).catch((error: Error) => {
        if (endsAll(error)) mayContinue = false;
        failures.push(error);
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, series.length) }, worker));
  const gravest = failures.find((error) => !(error instanceof StaleView)) ?? failures[0];
  if (gravest) throw gravest;
}
