import type { KubeObject } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { after, instant, parseTime, SECOND } from '../../base/index.ts';
import type { MirrorChange, Simulation } from '../../simulation/index.ts';

/** What was written on one request. */
export interface Written {
  /** Changes of the object, by any client. */
  changes: number;
  /** Phases in the order in which they were entered. */
  readonly phases: string[];
}

/** All that happened to requests, in the order of the server. */
export class RequestRecord {
  readonly written = new Map<string, Written>();
  readonly #wrong: string[] = [];
  readonly #simulation: Simulation;
  readonly #longestBlockMs: number;

  constructor(simulation: Simulation, longestBlockMs: number) {
    this.#simulation = simulation;
    this.#longestBlockMs = longestBlockMs;
    simulation.mirror.onChange((change) => {
      if (change.resource.kind === RemediationRequest.kind && change.after) this.#note(change);
    });
  }

  /** The first thing that was written and should not have been. */
  wrong(): string | undefined {
    return this.#wrong.shift();
  }

  #note({ before: old, after: now }: MirrorChange): void {
    const request = now as RemediationRequest;
    const { name, uid } = request.metadata;
    // Another request may have taken the name.
    const before = old?.metadata.uid === uid ? (old as RemediationRequest) : undefined;
    const written = this.written.get(name) ?? { changes: 0, phases: [] };
    this.written.set(name, written);
    if (before) written.changes++;
    const entered = stageOf(request) === stageOf(before) ? undefined : request.status?.overallPhase;
    if (entered !== undefined) written.phases.push(entered);
    const wrong = before && this.#objection(before, request);
    if (wrong !== undefined) this.#wrong.push(`${name}: ${wrong}`);
  }

  #objection(before: RemediationRequest, now: RemediationRequest): string | undefined {
    return anotherExecution(before, now) ?? (stageOf(before) === stageOf(now) ? undefined : this.#leftTooEarly(before, now));
  }

  /** A block ends when its reason does: by its time, or with the request that stands in the way. */
  #leftTooEarly({ status: blocked = {} }: RemediationRequest, { status }: RemediationRequest): string | undefined {
    if (blocked.overallPhase !== 'Blocked' || !LED_OUT.has(status?.overallPhase ?? '')) return undefined;
    const isDuplicate = blocked.blockReason === 'DuplicateInProgress' && status?.overallPhase === 'Pending';
    return this.#beforeItsTime(blocked) ?? (isDuplicate ? this.#beforeOriginal(blocked.duplicateOf) : undefined);
  }

  /** No block is for ever, however late it says that it ends. */
  #beforeItsTime({ blockedUntil, blockedStartTime }: NonNullable<RemediationRequest['status']>): string | undefined {
    const until = parseTime(blockedUntil);
    const longest = after(parseTime(blockedStartTime) ?? instant(0), this.#longestBlockMs);
    const now = this.#simulation.time.now();
    if (until === undefined || after(now, SECOND) >= Math.min(until, longest) || wasClockSet(this.#simulation)) return undefined;
    return `left Blocked ${(until - now) / SECOND} s too early`;
  }

  #beforeOriginal(duplicateOf: string | undefined): string | undefined {
    const original = this.#simulation.mirror.all(RemediationRequest).find(({ metadata }) => metadata.name === duplicateOf);
    if (!original || ENDED.has(original.status?.overallPhase ?? '')) return undefined;
    return `left Blocked before ${duplicateOf ?? ''} had ended`;
  }
}

/** Where a block leads by itself; a person, or the end of the alerts, may end it at any time. */
const LED_OUT: ReadonlySet<string> = new Set(['Pending', 'Analyzing', 'Failed']);

/** Failed may be held back once more, which is an end all the same. */
const ENDED: ReadonlySet<string> = new Set(['Completed', 'Failed', 'TimedOut', 'Skipped', 'Cancelled', 'Blocked']);

/** A recorded execution is the only one, whatever happens to it: another one would be a second release. */
function anotherExecution({ status: before }: RemediationRequest, { status: now }: RemediationRequest): string | undefined {
  const recorded = before?.workflowExecutionRef?.uid;
  return recorded === undefined || recorded === now?.workflowExecutionRef?.uid ? undefined : 'another execution was put on record';
}

/** A plan that is made again enters its phase again. */
function stageOf(object: KubeObject | undefined): string {
  const { overallPhase = '', analysisAttempt = 1 } = (object as RemediationRequest | undefined)?.status ?? {};
  return `${overallPhase} ${overallPhase === 'Analyzing' ? analysisAttempt : ''}`;
}

/** Whose clock was set may rightly find something too late or too early. */
const wasClockSet = ({ injected }: Simulation): boolean => injected.some(({ fault }) => fault.kind === 'ClockJump');
