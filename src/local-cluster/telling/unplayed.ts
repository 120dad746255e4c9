import { CronJob, DaemonSet, StatefulSet } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { Controller, Subject } from '../../runtime/reconcile/controller.ts';

/** Kinds that the server serves and that no controller of this cluster acts on, though everybody expects pods of them. */
const UNPLAYED: readonly Resource[] = [StatefulSet, DaemonSet, CronJob];

/** The warning for those who create such an object; undefined for all other kinds. */
export function unplayedWarning({ group, kind }: Pick<Resource, 'group' | 'kind'>): string | undefined {
  const isUnplayed = UNPLAYED.some((resource) => resource.group === group && resource.kind === kind);
  return isUnplayed ? `the local cluster does not act on a ${kind}: it gets no pods; use a Deployment or a Job` : undefined;
}

/** Controllers that only say so, in an Event on each object. */
export const unplayedControllers: readonly Controller<Subject>[] = UNPLAYED.map((primary) => ({
  name: `unplayed-${primary.plural}`,
  primary,
  watches: [],
  observe(key, reader) {
    const read = reader.get(primary as Resource<KubeObject>, key);
    return read.kind === 'value' ? { object: read.value } : undefined;
  },
  decide: () => ({ effects: [{ kind: 'Event', type: 'Warning', reason: 'NotPlayed', message: unplayedWarning(primary)! }] }),
}));
