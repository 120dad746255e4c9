import { Deployment } from '../../api/builtin/index.ts';
import { keyOf, type Draft } from '../../api/meta.ts';
import { isTerminal } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { isSuppressed, longestSuppression } from '../../api/remediation-request/suppression.ts';
import { ANNOTATIONS, LABELS } from '../../api/well-known.ts';
import { toTime } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { unlessOvertaken } from './fake-controller.ts';
import type { Deed, Firing, Story } from './timeline.ts';
import { fingerprintOf, requestDraft, SHOP, targetDraft } from './world.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { childNames } from '../../controllers/child-names.ts';

/** Everything from outside: signals through a gateway that drops duplicates, and the actions of people. It fails with no process. */
export class Outside {
  readonly #simulation: Simulation;
  readonly #system: string;
  /** Writes on each request that are not the orchestrator's. */
  readonly writes = new Map<string, number>();
  #opened = 0;

  constructor(simulation: Simulation, system: string) {
    this.#simulation = simulation;
    this.#system = system;
  }

  /** Plans the whole story. */
  play({ firings, deeds }: Story): void {
    for (const firing of firings) this.#simulation.later(firing.atMs, 'gateway', () => this.#fire(firing));
    for (const deed of deeds) this.#simulation.later(deed.atMs, 'person', () => this.#do(deed));
  }

  async #fire(firing: Firing): Promise<void> {
    const { mirror, journal, time, admin } = this.#simulation;
    const known = mirror.all(RemediationRequest).filter(({ spec }) => spec.signalFingerprint === fingerprintOf(firing.target));
    const active = known.find(({ status }) => !isTerminal(remediationPhases, status?.overallPhase));
    if (active && firing.insists !== true) return this.#repeat(active);
    const suppression = longestSuppression(known);
    if (isSuppressed(suppression, time.now()) && firing.insists !== true)
      return journal.note('gateway', () => `suppresses the signal of ${firing.target} because of ${suppression.request.metadata.name}`);
    const name = `rr-${firing.target}-${++this.#opened}`;
    journal.note('gateway', () => `opens ${name}`);
    const draft = requestDraft(name, { ...firing, system: this.#system, now: time.now() });
    await admin.create(RemediationRequest, draft);
    await this.#patchStatus(name, { deduplication: this.#seen(1) });
  }

  async #repeat({ metadata, status }: RemediationRequest): Promise<void> {
    this.#simulation.journal.note('gateway', () => `counts one more for ${metadata.name}`);
    await this.#patchStatus(metadata.name, { deduplication: this.#seen((status?.deduplication?.occurrenceCount ?? 0) + 1) });
  }

  #seen(occurrenceCount: number, resolvedAt?: string): object {
    const at = toTime(this.#simulation.time.now());
    const alert = { name: 'KubePodCrashLooping', instance: '1', lastSeenAt: at, ...(resolvedAt !== undefined && { resolvedAt }) };
    return { lastSeenAt: at, occurrenceCount, alerts: [alert] };
  }

  async #do({ does, target }: Deed): Promise<void> {
    const { admin, journal } = this.#simulation;
    const key = { namespace: SHOP, name: target };
    journal.note('person', () => `${does} ${target}`);
    switch (does) {
      case 'edit':
        return unlessOvertaken(() => admin.patch(Deployment, key, { type: 'merge', body: { spec: { replicas: 3 } } }));
      case 'manage':
      case 'unmanage':
        return unlessOvertaken(() =>
          admin.patch(Deployment, key, { type: 'merge', body: { metadata: { labels: { [LABELS.managed]: String(does === 'manage') } } } }),
        );
      case 'removeTarget':
        return unlessOvertaken(() => admin.delete(Deployment, key));
      case 'replaceTarget':
        return unlessOvertaken(async () => {
          await admin.delete(Deployment, key);
          await admin.create(Deployment, targetDraft(target));
        });
      case 'squat':
        return this.#squat(target);
      case 'cancel':
      case 'resolve':
        return this.#stop(target, does);
    }
  }

  /** To the newest request about the target that is still under way. */
  async #stop(target: string, does: 'cancel' | 'resolve'): Promise<void> {
    const { mirror, admin, time } = this.#simulation;
    const request = mirror
      .all(RemediationRequest)
      .findLast(({ spec, status }) => spec.targetResource.name === target && !isTerminal(remediationPhases, status?.overallPhase));
    if (!request) return;
    if (does === 'resolve')
      return this.#patchStatus(request.metadata.name, {
        deduplication: this.#seen(request.status?.deduplication?.occurrenceCount ?? 1, toTime(time.now())),
      });
    const annotations = { [ANNOTATIONS.cancel]: 'maintenance', [ANNOTATIONS.cancelBy]: 'alex@example.com' };
    this.#count(request.metadata.name);
    await unlessOvertaken(() => admin.patch(RemediationRequest, keyOf(request), { type: 'merge', body: { metadata: { annotations } } }));
  }

  /** A foreign object has the name that the next request's first child would have. */
  async #squat(target: string): Promise<void> {
    const name = childNames(`rr-${target}-${this.#opened + 1}`).signalProcessing;
    const { spec } = SignalProcessing.sample as Draft<SignalProcessing>;
    const { apiVersion, kind } = SignalProcessing.sample;
    const draft = { apiVersion, kind, metadata: { name, namespace: this.#system }, spec };
    await unlessOvertaken(() => this.#simulation.admin.create(SignalProcessing, draft));
  }

  async #patchStatus(name: string, status: object): Promise<void> {
    this.#count(name);
    const key = { namespace: this.#system, name };
    await unlessOvertaken(() => this.#simulation.admin.patchStatus(RemediationRequest, key, { type: 'merge', body: { status } }));
  }

  #count(name: string): void {
    this.writes.set(name, (this.writes.get(name) ?? 0) + 1);
  }
}
