import { after, instant, parseTime, toTime, type Instant } from '../../../base/index.ts';
import { spanOf, type ChangeVerdict } from '../../change-windows/index.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { severityOfRequest } from '../urgency.ts';
import { closedText, RECHECK_WINDOW_MS } from './checks/change-freeze.ts';
import type { ChangeEvidence, RoutingEvidence } from './evidence.ts';
import { changedTarget, judgeChangeOf } from './judge-change-of.ts';
import type { Reevaluation } from './reevaluate-block.ts';
import { isRestoring } from './restoring.ts';

type Waited = NonNullable<NonNullable<RoutingEvidence['request']['status']>['changeWindow']>;
type Closed = Extract<ChangeVerdict, { kind: 'closed' }>;

interface BlockStatus {
  readonly blockedUntil: string;
  readonly blockMessage: string;
  readonly message: string;
  readonly changeWindow: Waited;
}

/**
 * A block by a change freeze or outside maintenance windows is judged like check 8, with the windows and the severity of now. It ends as soon as
 * none of them forbids the change, or when a person overrides it.
 */
export function whenWindowLets(evidence: RoutingEvidence, now: Instant): Reevaluation {
  const { request, changes } = evidence;
  const waited = request.status?.changeWindow;
  const title = titleOf(waited);
  if (!changes) return leave(`${title} is no longer in the configuration`);
  if (isRestoring(request)) return leave('it restores what was changed, which no change freeze holds back');
  const { override } = changes;
  if (override) return leave(`${override.by} overrode ${title}${override.reason === '' ? '' : ` (${override.reason})`}`);
  const verdict = judgeChangeOf(evidence, changes, now);
  switch (verdict.kind) {
    case 'open':
      return leave(`${title} ${openedText(evidence, changes, now)}`);
    case 'unknown':
      return unknown(evidence, verdict.reason, now);
    case 'closed':
      return closed(verdict, evidence, now);
  }
}

/** Why what it waited for no longer holds it back. */
function openedText({ request, planned }: RoutingEvidence, { windows }: ChangeEvidence, now: Instant): string {
  const waited = request.status?.changeWindow;
  const isFreeze = waited?.kind !== 'MaintenanceWindow';
  const window = windows[isFreeze ? 'changeFreezes' : 'maintenanceWindows'].find(({ name }) => name === waited?.name);
  if (!window) return 'is no longer in the configuration';
  const isOpen = spanOf(window, now).kind === 'open';
  if (isFreeze && !isOpen) return 'has ended';
  if (!isFreeze && isOpen) return 'has opened';
  return `no longer holds back ${describeTarget(changedTarget({ request, planned }))}, whose severity is ${severityOfRequest(request)}`;
}

/** Until its end what cannot be read keeps it waiting; then the analysis, which has a time limit, waits for it. */
function unknown({ request, routing }: RoutingEvidence, why: string, now: Instant): Reevaluation {
  const { blockedUntil, changeWindow } = request.status ?? {};
  const until = parseTime(blockedUntil);
  const lookAgainAt = after(now, routing.requeueGenericErrorMs);
  if (until === undefined) return { kind: 'stay', lookAgainAt, why };
  return now < until ? { kind: 'stay', lookAgainAt, why, hasEnd: true } : leave(`the time of ${titleOf(changeWindow)} has passed`);
}

function closed(verdict: Closed, evidence: RoutingEvidence, now: Instant): Reevaluation {
  const { by, window, until } = verdict;
  const { changeWindow: waited } = evidence.request.status ?? {};
  const isSame = waited?.name === window.name && waited.kind === by;
  const recheck = after(now, RECHECK_WINDOW_MS);
  // A window that never opens is a mistake in the configuration, which the longest time in Blocked ends.
  if (until === undefined) return isSame ? { kind: 'stay', lookAgainAt: recheck } : leave(`${titleOf(waited)} has changed`);
  const stay = { kind: 'stay', lookAgainAt: instant(Math.min(until, recheck)), hasEnd: true } as const;
  const status = blockStatus(verdict, until, evidence);
  return isSame && isShown(status, evidence) ? stay : { ...stay, status };
}

function blockStatus(verdict: Closed, until: Instant, evidence: RoutingEvidence): BlockStatus {
  const target = changedTarget(evidence);
  const blockMessage = closedText(verdict, { target, ignoredOverrideBy: evidence.changes?.ignoredOverrideBy });
  const held = evidence.request.status?.changeWindow?.target;
  const changeWindow: Waited = { kind: verdict.by, name: verdict.window.name, ...(held && { target: held }) };
  return { blockedUntil: toTime(until), blockMessage, message: blockMessage, changeWindow };
}

/** Whether the status has the end of the block and its message already. */
const isShown = ({ blockedUntil, blockMessage }: BlockStatus, { request: { status = {} } }: RoutingEvidence): boolean =>
  status.blockedUntil === blockedUntil && (status.blockMessage ?? blockMessage) === blockMessage;

const titleOf = ({ kind, name }: Pick<Waited, 'kind' | 'name'> = { kind: 'ChangeFreeze', name: '' }): string =>
  `${kind === 'ChangeFreeze' ? 'the change freeze' : 'the maintenance window'} ${name}`;

const leave = (why: string): Reevaluation => ({ kind: 'leave', to: 'Analyzing', why, status: {} });
