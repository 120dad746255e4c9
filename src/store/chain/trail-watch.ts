import { after, HOUR, messageOf, MINUTE, toTime, type Clock, type Logger } from '../../base/index.ts';
import type { ChainedTrail } from './chained-trail.ts';
import type { CheckpointStore } from './checkpoint-file.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Verification } from './verify-trail.ts';

/** What is known of a trail's proof. */
export type TrailState =
  /** It is in memory and proves nothing. */
  | { readonly state: 'NotChained' }
  | { readonly state: 'Pending' }
  | { readonly state: 'Verified' | 'Broken'; readonly at: string; readonly verification: Verification }
  | { readonly state: 'Unreadable'; readonly at: string; readonly message: string };

export interface TrailWatchOptions {
  readonly trail: ChainedTrail;
  readonly clock: Clock;
  /** A monotonic clock, for delays. */
  readonly steady: Clock;
  readonly log: Logger;
  /** Where checkpoints are kept; besides, each run remembers its last one. */
  readonly checkpoints?: CheckpointStore;
}

const CHECKPOINT_EVERY_MS = 5 * MINUTE;
const VERIFY_EVERY_MS = HOUR;

/** Verifies a trail at the start and every hour, and makes a checkpoint every five minutes in which events were recorded. */
export class TrailWatch {
  readonly #options: TrailWatchOptions;
  /** Of this run: it shows a cut end while Sickbay runs, even where no checkpoint is kept elsewhere. */
  #last: Checkpoint | undefined;
  /** How far the kept checkpoints go. */
  #kept = 0;
  #state: TrailState = { state: 'Pending' };
  #checkpointProblem: string | undefined;

  constructor(options: TrailWatchOptions) {
    this.#options = options;
  }

  get state(): TrailState {
    return this.#state;
  }

  /** What a person has to know; undefined while the trail is proved, or not read yet. */
  problem(): string | undefined {
    if (this.#state.state === 'Unreadable') return `the audit trail could not be verified: ${this.#state.message}`;
    if (this.#state.state !== 'Broken') return this.#checkpointProblem;
    const [first, ...others] = this.#state.verification.findings;
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return `the audit trail was tampered with: ${first?.message ?? ''}${more}; "sickbay audit verify" lists what does not fit`;
  }

  /** Until the signal aborts; then it makes a last checkpoint. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { steady } = this.#options;
    while (!signal.aborted) {
      const next = after(steady.now(), VERIFY_EVERY_MS);
      await this.verify();
      while (!signal.aborted && steady.now() < next) {
        await steady.waitUntil(after(steady.now(), CHECKPOINT_EVERY_MS), signal).catch(() => undefined);
        if (!signal.aborted) await this.checkpoint();
      }
    }
  }

  async verify(): Promise<void> {
    const { trail, clock } = this.#options;
    const at = toTime(clock.now());
    try {
      const kept = (await this.#options.checkpoints?.read()) ?? [];
      this.#kept = Math.max(this.#kept, ...kept.map(({ sequence }) => sequence));
      const verification = await trail.verify(this.#last ? [...kept, this.#last] : kept);
      this.#set({ state: verification.findings.length === 0 ? 'Verified' : 'Broken', at, verification });
    } catch (error) {
      this.#set({ state: 'Unreadable', at, message: messageOf(error) });
    }
  }

  /** Where the trail got longer since the last one. */
  async checkpoint(): Promise<void> {
    const { trail, clock, checkpoints } = this.#options;
    try {
      const end = await trail.end();
      // A shorter trail is for the verification to find: its end is no new checkpoint.
      if (end.sequence <= (this.#last?.sequence ?? 0)) return;
      const made = { at: toTime(clock.now()), sequence: end.sequence, hash: end.hash };
      if (checkpoints && end.sequence > this.#kept) {
        await checkpoints.write(made);
        this.#kept = end.sequence;
      }
      this.#last = made;
      this.#checkpointProblem = undefined;
    } catch (error) {
      this.#failed(messageOf(error));
    }
  }

  #failed(problem: string): void {
    if (problem !== this.#checkpointProblem) this.#options.log.error('no checkpoint of the audit trail could be made', { error: problem });
    this.#checkpointProblem = problem;
  }

  /** Logged when it changes. */
  #set(state: TrailState): void {
    const before = this.problem();
    this.#state = state;
    const problem = this.problem();
    if (problem !== undefined && problem !== before) this.#options.log.error(problem);
    if (problem === undefined && before !== undefined) this.#options.log.info('the audit trail is verified again');
  }
}
