import { after, instant, parseTime, toTime, type Instant } from '../../../base/index.ts';
import { spanOf } from '../../change-windows/index.ts';
import type { ChangeWindow } from '../../change-window-settings.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { closedText, RECHECK_WINDOW_MS } from './checks/change-freeze.ts';
import type { RoutingEvidence } from './evidence.ts';
import type { Reevaluation } from './reevaluate-block.ts';

type Waited = NonNullable<NonNullable<RoutingEvidence['request']['status']>['changeWindow']>;

/**
 * A block by a change freeze ends with the freeze, a block outside maintenance windows when the window opens, and both when a person overrides it
 * or the configuration no longer has it. The request is analysed again; what else forbids the change then blocks it again.
 */
export function whenWindowLets({ request, changes }: RoutingEvidence, now: Instant): Reevaluation {
  const waited = request.status?.changeWindow;
  const title = titleOf(waited);
  const { override } = changes ?? {};
  if (override) return leave(`${override.by} overrode ${title}${override.reason === '' ? '' : ` (${override.reason})`}`);
  const window =
    waited &&
    changes?.windows[waited.kind === 'ChangeFreeze' ? 'changeFreezes' : 'maintenanceWindows'].find((one) => one.name === waited.name);
  if (!window) return leave(`${title} is no longer in the configuration`);
  return followed(window, waited.kind, { request, now });
}

function followed(
  window: ChangeWindow,
  by: Waited['kind'],
  { request, now }: { readonly request: RoutingEvidence['request']; readonly now: Instant },
): Reevaluation {
  const span = spanOf(window, now);
  const isFreeze = by === 'ChangeFreeze';
  if ((span.kind === 'open') !== isFreeze)
    return leave(`${titleOf({ kind: by, name: window.name })} ${isFreeze ? 'has ended' : 'has opened'}`);
  const until = span.kind === 'open' ? span.until : span.next;
  const recheck = after(now, RECHECK_WINDOW_MS);
  // A window that never opens is a mistake in the configuration, which the longest time in Blocked ends.
  if (until === undefined) return { kind: 'stay', lookAgainAt: recheck };
  const lookAgainAt = instant(Math.min(until, recheck));
  if (parseTime(request.status?.blockedUntil) === until) return { kind: 'stay', lookAgainAt, hasEnd: true };
  const blockMessage = closedText({ kind: 'closed', by, window, until }, describeTarget(request.spec.targetResource));
  return { kind: 'stay', lookAgainAt, hasEnd: true, status: { blockedUntil: toTime(until), blockMessage, message: blockMessage } };
}

const titleOf = ({ kind, name }: Waited = { kind: 'ChangeFreeze', name: '' }): string =>
  `${kind === 'ChangeFreeze' ? 'the change freeze' : 'the maintenance window'} ${name}`;

const leave = (why: string): Reevaluation => ({ kind: 'leave', to: 'Analyzing', why, status: {} });
