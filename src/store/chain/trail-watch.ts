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
const MOST_MADE = 1_000;

/** Verifies a trail at the start and every hour, and makes a checkpoint every five minutes in which events were recorded. */
export class TrailWatch {
  readonly #options: TrailWatchOptions;
  /**
   * Of this run, since the trail was verified last: they show a cut end while Sickbay runs, even where no checkpoint is kept elsewhere. Not only the
   * last one: a trail that was cut may have grown again before it.
   */
  #made: readonly Checkpoint[] = [];
  /** How far the kept checkpoints go. */
  #kept = 0;
  #state: TrailState = { state: 'Pending' };
  #checkpointProblem: string | undefined;
  /** Of the file of checkpoints. */
  #linesProblem: string | undefined;

  constructor(options: TrailWatchOptions) {
    this.#options = options;
  }

  get state(): TrailState {
    return this.#state;
  }

  /** What a person has to know; undefined while the trail is proved, or not read yet. */
  problem(): string | undefined {
    if (this.#state.state === 'Unreadable') return `the audit trail could not be verified: ${this.#state.message}`;
    if (this.#state.state !== 'Broken') return this.#checkpointProblem ?? this.#linesProblem;
    const [first, ...others] = this.#state.verification.findings;
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return `the audit trail was tampered with: ${first?.message ?? ''}${more}; "sickbay audit verify" lists what does not fit`;
  }

  /** Until the signal aborts; then it makes a last checkpoint. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { steady } = this.#options;
    while (!signal.aborted) {
      const next = after(steady.now(), VERIFY_EVERY_MS);
      await this.verify(signal);
      do {
        await steady.waitUntil(after(steady.now(), CHECKPOINT_EVERY_MS), signal).catch(() => undefined);
        if (!signal.aborted) await this.checkpoint();
        // What could not be read is tried again soon.
      } while (!signal.aborted && steady.now() < next && this.#state.state !== 'Unreadable');
    }
  }

  async verify(signal?: AbortSignal): Promise<void> {
    const { trail, clock } = this.#options;
    const at = toTime(clock.now());
    try {
      const verification = await trail.verify([...(await this.#keptCheckpoints()), ...this.#made], signal);
      const isVerified = verification.findings.length === 0;
      if (isVerified) this.#made = this.#made.slice(-1);
      this.#set({ state: isVerified ? 'Verified' : 'Broken', at, verification });
    } catch (error) {
      if (signal?.aborted) return;
      this.#set({ state: 'Unreadable', at, message: messageOf(error) });
    }
  }

  async #keptCheckpoints(): Promise<readonly Checkpoint[]> {
    const { checkpoints, problems } = (await this.#options.checkpoints?.read()) ?? { checkpoints: [], problems: [] };
    for (const { sequence } of checkpoints) this.#kept = Math.max(this.#kept, sequence);
    const [problem] = problems;
    if (problem !== undefined && problem !== this.#linesProblem)
      this.#options.log.error('the file of checkpoints is damaged; its other lines are used', { error: problem, lines: problems.length });
    this.#linesProblem = problem;
    return checkpoints;
  }

  /** Where the trail got longer since the last one. */
  async checkpoint(): Promise<void> {
    const { trail, clock, checkpoints } = this.#options;
    try {
      const end = await trail.end();
      // A shorter trail is for the verification to find: its end is no new checkpoint.
      if (end.sequence <= (this.#made.at(-1)?.sequence ?? 0)) return;
      const made = { at: toTime(clock.now()), sequence: end.sequence, hash: end.hash };
      if (checkpoints && end.sequence > this.#kept) {
        await checkpoints.write(made);
        this.#kept = end.sequence;
      }
      this.#made = thinned([...this.#made, made]);
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

/** While a trail cannot be verified for days: each proves all before it, so that every second one is enough. */
const thinned = (made: readonly Checkpoint[]): readonly Checkpoint[] =>
  made.length <= MOST_MADE ? made : made.filter((_, index) => index % 2 === 0 || index === made.length - 1);
