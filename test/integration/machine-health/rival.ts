import type { Condition, KubeObject, ObjectKey } from '../../../src/api/meta.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { after, hasCode, systemClock, toTime } from '../../../src/base/index.ts';
import type { KubeClient } from '../../../src/kube/index.ts';

type Stated = KubeObject & { readonly status?: { readonly conditions?: readonly Partial<Condition>[] } };

const PAUSE_MS = 40;

/** The result of writing beside Sickbay. */
export interface Rivalry {
  readonly writes: number;
  /** How often what it had written was no longer there. */
  readonly reverted: number;
}

/** Another controller on the same objects, which writes its own conditions as Cluster API's does: each write under the version it has read. */
export class Rival {
  readonly #client: KubeClient;
  #isOver = false;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Writes a condition again and again, each time with the next number. */
  async keepCounting<T extends Stated>(resource: Resource<T>, key: ObjectKey, type: string): Promise<Rivalry> {
    let [writes, reverted] = [0, 0];
    while (!this.#isOver) {
      const object = await this.#client.get(resource, key);
      if (writes > 0 && stated(object, type)?.message !== `${writes}`) reverted++;
      const message = `${writes + 1}`;
      const next = { type, status: 'True' as const, reason: 'Counted', message, lastTransitionTime: toTime(systemClock.now()) };
      if (await this.#write(resource, object, next)) writes++;
      await pause();
    }
    return { writes, reverted };
  }

  /** Sees to it that a condition is there as it wants it. */
  async keepSaying<T extends Stated>(resource: Resource<T>, key: ObjectKey, wanted: Condition): Promise<Rivalry> {
    let writes = 0;
    while (!this.#isOver) {
      const object = await this.#client.get(resource, key);
      const found = stated(object, wanted.type);
      const isThere = found?.status === wanted.status && found.reason === wanted.reason && found.message === wanted.message;
      if (!isThere && (await this.#write(resource, object, wanted))) writes++;
      await pause();
    }
    return { writes, reverted: Math.max(writes - 1, 0) };
  }

  /** False when another client wrote meanwhile. */
  async #write<T extends Stated>(resource: Resource<T>, object: T, wanted: Condition): Promise<boolean> {
    const others = (object.status?.conditions ?? []).filter(({ type }) => type !== wanted.type);
    try {
      await this.#client.updateStatus(resource, { ...object, status: { ...object.status, conditions: [...others, wanted] } });
      return true;
    } catch (error) {
      if (hasCode(error, 'Conflict')) return false;
      throw error;
    }
  }
}

const stated = ({ status }: Stated, type: string): Partial<Condition> | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

const pause = (): Promise<unknown> => systemClock.waitUntil(after(systemClock.now(), PAUSE_MS), new AbortController().signal);
