import { assertNever, toTime } from '../../base/index.ts';
import type { Block, BudgetVerdict } from './judge-budget.ts';
import type { Use } from './tally.ts';

/** Up to here people are told their exact place and who is in their way; further back every start would change what hundreds are told. */
const EXACT_PLACES = 10;
const NAMES_SHOWN = 5;

/** Why it does not start, as a condition says it. */
export function budgetWords(verdict: Extract<BudgetVerdict, { kind: 'Wait' | 'Held' }>): {
  readonly reason: string;
  readonly message: string;
} {
  switch (verdict.kind) {
    case 'Wait':
      return { reason: 'WaitingForBudget', message: waitText(verdict) };
    case 'Held':
      return { reason: 'BudgetPaused', message: heldText(verdict) };
    default:
      return assertNever(verdict);
  }
}

function waitText({ place, blocks }: Extract<BudgetVerdict, { kind: 'Wait' }>): string {
  if (place <= EXACT_PLACES) return [`${ordinal(place)} in the queue`, ...blocks.map(blockText)].join('; ');
  const limits = blocks.map((block) => `${block.allowed} ${countsText(block)} ${whereText(block)}`);
  return `at least ${Math.floor((place - 1) / EXACT_PLACES) * EXACT_PLACES} others are before it in the queue; the limit is ${limits.join(' and ')}`;
}

function blockText(block: Block): string {
  const { uses, allowed, counts, until } = block;
  const used = `${uses.length} of ${allowed} ${countsText(block)} ${whereText(block)}`;
  if (allowed <= 0) return `${used}: nothing may start there`;
  if (counts === 'running') return `${used} (${namesText(uses)}): the next may start when one of them ends`;
  return until === undefined ? used : `${used}: the next may start at ${toTime(until)}`;
}

const countsText = ({ counts }: Block): string => (counts === 'running' ? 'running' : 'started within an hour');

const whereText = ({ scope, name = '' }: Block): string =>
  ({ cluster: 'in the cluster', namespace: `in namespace ${name}`, node: `on node ${name}` })[scope];

/** In a fixed order, so that nothing is told twice in other words. */
function namesText(uses: readonly Use[]): string {
  const names = uses.map(({ name, waits }) => (waits ? `${name}, which is before it` : name)).toSorted();
  return names.length > NAMES_SHOWN ? `${names.slice(0, NAMES_SHOWN).join(', ')}, …` : names.join(', ');
}

function heldText({ why, running }: Extract<BudgetVerdict, { kind: 'Held' }>): string {
  const still = running.length === 0 ? 'nothing is running' : `still running: ${running.join(', ')}`;
  return `starts are paused${why === '' ? '' : `: ${why}`}; ${still}`;
}

/** @example ordinal(22) === '22nd' */
function ordinal(place: number): string {
  const isTeen = place % 100 >= 11 && place % 100 <= 13;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th');
  return `${place}${ending}`;
}
