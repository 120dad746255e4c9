import { SECOND, type Random } from '../../base/index.ts';
import { BROKEN } from './kubelet.ts';
import type { Rival } from './requests.ts';

/** What an operator deletes at any moment; a run at work only when it is. */
export type Victim = 'execution' | 'request' | 'run' | 'run at work';

/** One rival, and what people do to it. */
export interface Entry extends Rival {
  readonly afterMs: number;
  readonly cancelledAfterMs?: number;
  /** Deleted at any moment within some time after it came or, if it is to be at work, after it began. */
  readonly deleted?: { readonly what: Victim; readonly withinMs: number };
  /** Comes only when this other one has ended, or is gone. */
  readonly followsOn?: string;
  /** A person clears the target before. */
  readonly isCleared?: true;
}

const TARGET = 'shop/Deployment/checkout';

/** A rival that is deleted, one that comes after it, and one more when a person has cleared the target. */
const doomed = (name: string, what: Victim, engine: 'job' | 'tekton' = 'job'): readonly [Entry, Entry, Entry] => {
  const target = `${name}/Deployment/api`;
  const withinMs = what === 'run at work' ? SECOND : 25 * SECOND;
  return [
    { name, target, engine, afterMs: 2 * SECOND, deleted: { what, withinMs } },
    { name: `${name}-next`, target, afterMs: 3 * SECOND, followsOn: name },
    { name: `${name}-cleared`, target, afterMs: SECOND, followsOn: `${name}-next`, isCleared: true },
  ];
};

/**
 * Some for one target, at the same time and one after the other, as Jobs and as PipelineRuns; two are cancelled. Others have targets of
 * their own, and have to wait for the budget only. On one target every run fails: what comes next is skipped, until a person clears it. On
 * others an operator deletes an execution, a request or a run at any moment, or a run at work; on some of them no later execution comes that
 * could delete its orphans.
 */
export const RIVALS: readonly Entry[] = [
  { name: 'one', target: TARGET, afterMs: 0 },
  { name: 'two', target: TARGET, afterMs: 500, engine: 'tekton' },
  { name: 'cancelled', target: 'shop/Deployment/cart', afterMs: 0, cancelledAfterMs: 2 * SECOND },
  { name: 'search', target: 'shop/Deployment/search', afterMs: 0, engine: 'tekton' },
  { name: 'mail', target: 'post/Deployment/mail', afterMs: 200 },
  { name: 'node', target: 'Node/worker-1', afterMs: 300 },
  { name: 'stopped', target: 'post/Deployment/fax', afterMs: 5 * SECOND, engine: 'tekton', cancelledAfterMs: 6 * SECOND },
  { name: 'late', target: TARGET, afterMs: 40 * SECOND },
  { name: 'broken', target: BROKEN, afterMs: 0 },
  { name: 'broken-next', target: BROKEN, afterMs: SECOND, engine: 'tekton', followsOn: 'broken' },
  { name: 'broken-cleared', target: BROKEN, afterMs: SECOND, followsOn: 'broken-next', isCleared: true },
  ...doomed('doomed', 'execution'),
  ...doomed('fallen', 'request'),
  ...doomed('robbed', 'run').slice(0, 2),
  ...doomed('piped', 'execution', 'tekton').slice(0, 2),
  ...doomed('stolen', 'run at work').slice(0, 2),
  ...doomed('drained', 'run at work', 'tekton').slice(0, 2),
  doomed('lone', 'execution')[0],
  doomed('orphan', 'request', 'tekton')[0],
];

/**
 * The rivals of some targets, by chance: few of them in one run, all in another. Where there are few the queue is short, so that much happens
 * at once that a long one keeps apart; and a run costs less.
 */
export function someOf(entries: readonly Entry[], random: Random): readonly Entry[] {
  const rate = random.pick([0.2, 0.4, 0.6, 1]);
  const targets = [...new Set(entries.map(({ target }) => target))].filter((target) => target === TARGET || random.chance(rate));
  return entries.filter(({ target }) => targets.includes(target));
}

/** One of each kind. */
export const FEW: readonly Entry[] = RIVALS.filter(
  ({ target, name }) => target === BROKEN || ['one', 'two', 'stolen', 'lone'].includes(name),
);
