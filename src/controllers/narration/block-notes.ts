import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { BlockReason } from '../../api/remediation-request/status.ts';
import type { EventNote } from '../../kube/objects/events.ts';

/** What a block is called, and whether a person should look: what ends by itself is no warning. */
const NAMES: Readonly<Record<BlockReason, Pick<EventNote, 'type' | 'reason'>>> = {
  ConsecutiveFailures: { type: 'Warning', reason: 'ConsecutiveFailureBlocked' },
  DuplicateInProgress: { type: 'Normal', reason: 'DuplicateBlocked' },
  ResourceBusy: { type: 'Normal', reason: 'ResourceBusyBlocked' },
  RecentlyRemediated: { type: 'Normal', reason: 'CooldownActive' },
  ExponentialBackoff: { type: 'Normal', reason: 'CooldownActive' },
  UnmanagedResource: { type: 'Warning', reason: 'UnmanagedResourceBlocked' },
  IneffectiveChain: { type: 'Warning', reason: 'IneffectiveChainDetected' },
};

/** Why a request is held back, and until when. */
export function blockNote({ status = {} }: RemediationRequest): EventNote {
  const { blockReason, blockMessage, message, blockedUntil } = status;
  const name = blockReason === undefined ? { type: 'Normal' as const, reason: 'PhaseTransition' } : NAMES[blockReason];
  const until = blockedUntil === undefined ? '' : ` (until ${blockedUntil})`;
  return { ...name, message: `held back: ${blockMessage ?? message ?? 'nothing more is known'}${until}` };
}
