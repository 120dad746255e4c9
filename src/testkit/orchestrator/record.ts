import type { KubeObject } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { after, parseTime, SECOND } from '../../base/index.ts';
import type { MirrorChange, Simulation } from '../../simulation/index.ts';

/** What was written on one request. */
export interface Written {
  /** Changes of the object, by whomever. */
  changes: number;
  /** Phases in the order in which they were entered. */
  readonly phases: string[];
}

/** All that happened to requests, in the order of the server. */
export class RequestRecord {
  readonly written = new Map<string, Written>();
  readonly #wrong: string[] = [];
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    simulation.mirror.onChange((change) => {
      if (change.resource.kind === RemediationRequest.kind && change.after) this.#note(change);
    });
  }

  /** The first thing that was written and should not have been. */
  wrong(): string | undefined {
    return this.#wrong.shift();
  }

  #note({ before, after: now }: MirrorChange): void {
    const request = now as RemediationRequest;
    const { name, uid } = request.metadata;
    const written = this.written.get(name) ?? { changes: 0, phases: [] };
    this.written.set(name, written);
    if (before) written.changes++;
    const phase = request.status?.overallPhase;
    if (phase === undefined || phase === phaseOf(before)) return;
    written.phases.push(phase);
    const wrong = before?.metadata.uid === uid ? this.#leftTooEarly(before as RemediationRequest, request) : undefined;
    if (wrong !== undefined) this.#wrong.push(`${name}: ${wrong}`);
  }

  /** A block ends when its reason does: by its time, or with the request that stands in the way. */
  #leftTooEarly({ status: blocked = {} }: RemediationRequest, { status }: RemediationRequest): string | undefined {
    if (blocked.overallPhase !== 'Blocked' || !LED_OUT.has(status?.overallPhase ?? '')) return undefined;
    return (
      this.#beforeItsTime(blocked.blockedUntil) ??
      (blocked.blockReason === 'DuplicateInProgress' ? this.#beforeOriginal(blocked) : undefined)
    );
  }

  #beforeItsTime(blockedUntil: string | undefined): string | undefined {
    const until = parseTime(blockedUntil);
    const now = this.#simulation.time.now();
    if (until === undefined || after(now, SECOND) >= until || wasClockSet(this.#simulation)) return undefined;
    return `left Blocked ${(until - now) / SECOND} s too early`;
  }

  #beforeOriginal({ duplicateOf, blockedStartTime }: RemediationStatus): string | undefined {
    const original = this.#simulation.mirror.all(RemediationRequest).find(({ metadata }) => metadata.name === duplicateOf);
    if (!original || ENDED.has(original.status?.overallPhase ?? '') || blockedStartTime === undefined) return undefined;
    return `left Blocked before ${duplicateOf ?? ''} had ended`;
  }
}

type RemediationStatus = NonNullable<RemediationRequest['status']>;

/** Where a block leads by itself; a person, or the end of the alerts, may end it at any time. */
const LED_OUT: ReadonlySet<string> = new Set(['Pending', 'Analyzing', 'Failed']);

/** Failed may be held back once more, which is an end all the same. */
const ENDED: ReadonlySet<string> = new Set(['Completed', 'Failed', 'TimedOut', 'Skipped', 'Cancelled', 'Blocked']);

const phaseOf = (object: KubeObject | undefined): string | undefined => (object as RemediationRequest | undefined)?.status?.overallPhase;

/** Whose clock was set may rightly find something too late or too early. */
export const wasClockSet = ({ injected }: Simulation): boolean => injected.some(({ fault }) => fault.kind === 'ClockJump');
