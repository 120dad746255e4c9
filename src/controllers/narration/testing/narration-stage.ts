import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { onTestFinished } from 'vitest';
import type { KubeObject } from '../../../api/meta.ts';
import { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { silent, turn, type Fields, type Logger } from '../../../base/index.ts';
import type { Cache, Store, StoreOptions } from '../../../kube/cache/cache.ts';
import type { EventRecorder } from '../../../kube/objects/events.ts';
import { memoryAuditLog, type AuditLog } from '../../../store/index.ts';
import { fakeClient } from '../../../testkit/fake-client.ts';
import { FakeStore } from '../../../testkit/fake-store.ts';
import { ManualClock } from '../../../testkit/manual-clock.ts';
import type { ComponentScore } from '../metrics/assessment-increments.ts';
import type { RunTime } from '../metrics/execution-increments.ts';
import type { Gauges, Increment } from '../index.ts';
import { createNarrator, type Narrator } from '../narrator.ts';
import { NAMESPACE } from './builders.ts';

/** A narrator on stores that a test fills by hand. */
export class NarrationStage {
  readonly clock = new ManualClock();
  readonly requests: FakeStore;
  readonly approvals = new FakeStore(RemediationApprovalRequest);
  readonly executions = new FakeStore(WorkflowExecution);
  readonly assessments = new FakeStore(EffectivenessAssessment);
  readonly trail = memoryAuditLog();
  /** What the store answers with instead of taking events. */
  refusal: Error | undefined;
  appends = 0;
  readonly told: { readonly about: string; readonly reason: string }[] = [];
  readonly counted: Increment[] = [];
  readonly took: RunTime[] = [];
  readonly scores: ComponentScore[] = [];
  readonly lines: (Fields & { readonly level: string; readonly message: string })[] = [];
  readonly followed: StoreOptions<KubeObject>[] = [];
  gauges: Gauges | undefined;
  readonly narrator: Narrator;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(objects: readonly KubeObject[] = [], events?: EventRecorder) {
    this.requests = new FakeStore(RemediationRequest, objects);
    this.narrator = createNarrator({
      cache: this.#cache(),
      namespace: NAMESPACE,
      events: events ?? this.#events(),
      audit: this.#audit(),
      steady: this.clock,
      log: this.#log(),
      metrics: {
        count: (increments) => this.counted.push(...increments),
        took: (run) => this.took.push(run),
        scored: (scores) => this.scores.push(...scores),
        dropped: () => this.told.push({ about: '', reason: 'dropped' }),
        follow: (gauges) => (this.gauges = gauges),
      },
    });
    onTestFinished(() => this.stop());
  }

  /** It leads from here on. */
  async lead(): Promise<void> {
    this.#stop = new AbortController();
    this.#running = this.narrator.run(this.#stop.signal);
    await turn();
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('told to stop'));
    await this.#running;
  }

  /** The ids of the recorded events, without the UID that they begin with. */
  async recorded(): Promise<readonly string[]> {
    await turn();
    return (await this.trail.find({})).map(({ id, subject }) => id.slice(subject.uid.length + 1).replace('orchestrator.', ''));
  }

  #cache(): Cache {
    const store = <T extends KubeObject>(wanted: StoreOptions<T>): Store<T> => {
      this.followed.push(wanted as unknown as StoreOptions<KubeObject>);
      const stores = [this.requests, this.approvals, this.executions, this.assessments];
      const found = stores.find(({ resource }) => resource.kind === wanted.resource.kind);
      return found as unknown as Store<T>;
    };
    return { store, run: () => Promise.resolve(), synced: () => Promise.resolve(), client: fakeClient().client };
  }

  #events(): EventRecorder {
    return {
      record: ({ kind, metadata }, { reason }) => {
        this.told.push({ about: `${kind} ${metadata.name}`, reason });
        return Promise.resolve();
      },
    };
  }

  #audit(): AuditLog {
    return {
      ...this.trail,
      append: (events) => {
        this.appends++;
        return this.refusal ? Promise.reject(this.refusal) : this.trail.append(events);
      },
    };
  }

  #log(): Logger {
    const at = (level: string) => (message: string, fields?: Fields) => void this.lines.push({ ...fields, level, message });
    return { ...silent, info: at('info'), warn: at('warn'), error: at('error') };
  }
}
