import type { KubeObject } from '../../../api/meta.ts';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import type { Instant } from '../../../base/index.ts';

/** What one check found. Its inputs are those it judged, in words that people can compare with the cluster. */
export type Verdict = Passed | Objection | Undecided;

interface Judged {
  readonly check: BlockReason;
  readonly inputs: Readonly<Record<string, string | number | boolean>>;
}

export interface Passed extends Judged {
  readonly kind: 'pass';
}

/** Why a request is held back, by what, and until when. */
export interface Objection extends Judged {
  readonly kind: 'block';
  /** For people: what was found and what would lift it. */
  readonly message: string;
  /** The object that blocks, where there is one. */
  readonly blocker?: { readonly kind: KubeObject['kind']; readonly name: string };
  /** When the block ends by time; absent where an event ends it. */
  readonly until?: Instant;
  /** When to look again at the latest, should no event come. */
  readonly lookAgainAt: Instant;
}

/** Something that the check needs could not be read: it neither passes nor blocks, and is asked again. */
export interface Undecided extends Judged {
  readonly kind: 'unknown';
  readonly reason: string;
}
