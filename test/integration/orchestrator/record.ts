import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import { after, SECOND, systemClock } from '../../../src/base/index.ts';
import { followKind, type Place } from '../../../src/testkit/orchestrator/watch-kind.ts';

/** The longest that anything may take here. */
const TIMEOUT_MS = 40 * SECOND;

/** All that was ever written on requests, in the order of the server. */
export class Record {
  readonly #versions = new Map<string, RemediationRequest[]>();
  readonly #waiting = new Set<() => void>();

  /** Listens until the signal. */
  follow(place: Place, signal: AbortSignal): Promise<void> {
    return followKind(place, RemediationRequest, (request) => this.#note(request), signal);
  }

  versions(name: string): readonly RemediationRequest[] {
    return this.#versions.get(name) ?? [];
  }

  /** The phases in the order in which they were entered; a plan that is made again enters its phase again. */
  phases(name: string): readonly string[] {
    const stages = this.versions(name).map(({ status = {} }) => `${status.overallPhase ?? ''} ${status.analysisAttempt ?? 1}`);
    return stages
      .filter((stage, i) => stage !== stages[i - 1] && !isSameStage(stages[i - 1], stage))
      .map((stage) => stage.split(' ')[0]!)
      .filter(Boolean);
  }

  /** The first version that fits, whether it was there already or comes. */
  async first(name: string, what: string, fits: (request: RemediationRequest) => boolean): Promise<RemediationRequest> {
    const giveUp = new AbortController();
    const deadline = after(systemClock.now(), TIMEOUT_MS);
    try {
      for (;;) {
        const found = this.versions(name).find(fits);
        if (found) return found;
        if (systemClock.now() >= deadline) throw new Error(`${name} never ${what}: ${this.#story(name)}`);
        await Promise.race([this.#change(), systemClock.waitUntil(deadline, giveUp.signal)]);
      }
    } finally {
      giveUp.abort();
    }
  }

  #note(request: RemediationRequest): void {
    const { name, resourceVersion } = request.metadata;
    const versions = this.#versions.get(name) ?? [];
    this.#versions.set(name, versions);
    if (versions.some(({ metadata }) => metadata.resourceVersion === resourceVersion)) return;
    versions.push(request);
    for (const wake of this.#waiting) wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
    });
  }

  #story(name: string): string {
    return `${this.phases(name).join(' → ')}; ${JSON.stringify(this.versions(name).at(-1)?.status)}`;
  }
}

const isSameStage = (before: string | undefined, stage: string): boolean =>
  before?.split(' ')[0] === stage.split(' ')[0] && !stage.startsWith('Analyzing');
