import type { KubeObject } from '../../../api/meta.ts';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import type { Instant } from '../../../base/index.ts';
import type { Target } from '../../target/index.ts';

/** The verdict of one check, with the inputs that it judged, so that people can compare them with the cluster. */
export type CheckVerdict = CheckPassed | CheckObjection | CheckUndecided;

interface Judged {
  readonly check: BlockReason;
  readonly inputs: Readonly<Record<string, string | number | boolean>>;
}

export interface CheckPassed extends Judged {
  readonly kind: 'pass';
}

/** Why a request is blocked, by what, and until when. */
export interface CheckObjection extends Judged {
  readonly kind: 'block';
  /** For people: what was found and what would lift the block. */
  readonly message: string;
  /** The object that blocks, where there is one. */
  readonly blocker?: { readonly kind: KubeObject['kind']; readonly name: string };
  /** The change window that blocks, where one does. */
  readonly window?: { readonly kind: 'ChangeFreeze' | 'MaintenanceWindow'; readonly name: string; readonly target: Target };
  /** When the block ends by time; absent where an event ends it. */
  readonly until?: Instant;
  /** When to check again at the latest if no event comes. */
  readonly lookAgainAt: Instant;
}

/** Something that the check needs could not be read: it neither passes nor blocks, and runs again. */
export interface CheckUndecided extends Judged {
  readonly kind: 'unknown';
  readonly reason: string;
}
