import type { Target } from './evidence.ts';
import type { LikelyCause } from './findings/likely-causes.ts';

/** What the evidence shows. */
export type Diagnosis =
  /** The cause is known, and what can be done about it. */
  | {
      readonly kind: 'Diagnosed';
      /** What kind of fault it is, in one word. */
      readonly fault: string;
      readonly cause: string;
      readonly actionType: string;
      readonly target: Target;
      readonly parameters: Readonly<Record<string, string>>;
      /** From 0 to 1. */
      readonly confidence: number;
      /** What the cause rests on, a sentence each. */
      readonly evidence: readonly string[];
    }
  /** The target is healthy. */
  | { readonly kind: 'NothingWrong'; readonly reason: string }
  /** Not known yet, but soon: checked again. `advice` is for the person who takes over if it does not settle; without it nothing could be read. */
  | ({ readonly kind: 'NotYet'; readonly reason: string; readonly advice?: string } & Partial<Findings>)
  /** No rule knows the cause: it needs manual review, and `advice` says where to start. */
  | ({ readonly kind: 'Unclear'; readonly reason: string; readonly advice: string } & Partial<Findings>);

/** What a person needs who takes over. */
export interface Findings {
  /** What is seen: pods, containers, exit codes, messages, last log lines. */
  readonly facts: readonly string[];
  /** What the evidence speaks against, with the evidence. */
  readonly ruledOut: readonly string[];
  readonly likely: readonly LikelyCause[];
}
