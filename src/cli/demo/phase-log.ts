import { isTerminal, remediationPhases, type RemediationPhase, type RemediationRequest } from '../../api/index.ts';
import type { Clock, Instant } from '../../base/index.ts';

/** A phase and how long it lasted, as seen from outside. */
export interface PhaseTime {
  readonly phase: RemediationPhase;
  readonly seconds: number;
}

/** Follows a remediation from phase to phase: prints each once, and keeps the times. */
export class PhaseLog {
  readonly #steady: Clock;
  readonly #narrate: (text: string) => void;
  readonly #entered: { readonly phase: RemediationPhase; readonly at: Instant }[] = [];

  constructor(steady: Clock, narrate: (text: string) => void) {
    this.#steady = steady;
    this.#narrate = narrate;
  }

  /** Reads the request; returns it when it is terminal. */
  judge(request: RemediationRequest | undefined): RemediationRequest | undefined {
    const phase = request?.status?.overallPhase;
    if (!request || !phase) return undefined;
    if (this.phase !== phase) this.#enter(phase, request);
    return isTerminal(remediationPhases, phase) ? request : undefined;
  }

  #enter(phase: RemediationPhase, { metadata, status }: RemediationRequest): void {
    this.#entered.push({ phase, at: this.#steady.now() });
    if (this.#entered.length === 1) this.#narrate(`RemediationRequest ${metadata.name}`);
    this.#narrate(`  ${phase.padEnd(16)} ${status?.message ?? ''}`.trimEnd());
  }

  /** Its present phase. */
  get phase(): RemediationPhase | undefined {
    return this.#entered.at(-1)?.phase;
  }

  /** Whether it is terminal. */
  get isOver(): boolean {
    return isTerminal(remediationPhases, this.phase);
  }

  /** How long each finished phase lasted. */
  durations(): readonly PhaseTime[] {
    return this.#entered.slice(1).map(({ at }, i) => {
      const { phase, at: from } = this.#entered[i]!;
      return { phase, seconds: (at - from) / 1_000 };
    });
  }
}
