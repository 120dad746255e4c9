import { Deployment, Namespace } from '../../../src/api/builtin/index.ts';
import { keyOf, type Draft, type KubeObject } from '../../../src/api/meta.ts';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { SignalProcessing } from '../../../src/api/signal-processing/signal-processing.ts';
import { LABELS } from '../../../src/api/well-known.ts';
import { asAdmin, asUser, type GuardedServer } from '../../../src/apiserver/testing/guarded-servers.ts';
import { after, hasCode, SECOND, silent, steadyClock, systemClock, systemRandom, turn, type Instant } from '../../../src/base/index.ts';
import { createApprovalController } from '../../../src/controllers/approval/index.ts';
import { createRemediationController } from '../../../src/controllers/remediation/index.ts';
import type { Settings } from '../../../src/controllers/settings.ts';
import { createCache, createClient, type KubeClient } from '../../../src/kube/index.ts';
import { whoAmI } from '../../../src/kube/identity/who-am-i.ts';
import { createControlLoop, noMetrics, soleTerm } from '../../../src/runtime/index.ts';
import {
  Ledger,
  openNamespace,
  playStandIns,
  requestDraft,
  targetDraft,
  wellAfter,
  type Fates,
} from '../../../src/testkit/orchestrator/index.ts';
import { Record } from './record.ts';
import { Remediation } from './remediation.ts';

/** What one scenario asks for besides a broken Deployment of its name. */
export interface Firing {
  /** What happens to the children. By default all of them succeed, but no approver decides. */
  readonly fates?: Partial<Fates>;
  /** The Deployment; that of an earlier request where requests meet. */
  readonly target?: string;
  /** Its namespace. */
  readonly namespace?: string;
  /** Another problem of the same target. */
  readonly problem?: string;
  readonly dryRun?: boolean;
}

const NOBODY_DECIDES: Fates = { ...wellAfter(0), approval: () => ({ does: 'stall' }) };

/** The real orchestrator and the real approvals in a namespace of their own; everybody else is played. */
export class Stage {
  readonly server: GuardedServer;
  readonly system: string;
  /** Where the targets live, which may be worked on. */
  readonly shop: string;
  readonly settings: Settings;
  readonly admin: KubeClient;
  readonly ledger = new Ledger();
  readonly record = new Record();
  /** What went wrong in passes of the controllers, and moves that are not allowed. */
  readonly trouble: string[] = [];
  readonly #scripts = new Map<string, Partial<Fates>>();
  readonly #stop = new AbortController();
  #running: readonly Promise<unknown>[] = [];

  constructor(server: GuardedServer, name: string, settings: Settings) {
    this.server = server;
    this.system = `orchestrator-${name}`;
    this.shop = `orchestrator-${name}-shop`;
    this.settings = { ...settings, namespace: this.system };
    this.admin = createClient(asAdmin(server));
  }

  /** `identityIsChecked` as the process would find out. */
  async open(identityIsChecked: boolean): Promise<void> {
    await openNamespace(this.admin, this.system);
    await openNamespace(this.admin, this.shop, { [LABELS.managed]: 'true' });
    const settings = (): Settings => this.settings;
    const cache = createCache({ client: this.admin, clock: steadyClock, random: systemRandom });
    const account = await whoAmI(this.admin);
    const loop = createControlLoop({
      controllers: [
        createRemediationController({ settings, account, identityIsChecked: () => identityIsChecked, isAudited: () => true }),
        createApprovalController(settings, account),
      ],
      cache,
      clock: systemClock,
      steady: steadyClock,
      random: systemRandom,
      log: silent,
      events: {
        record: (_, { reason, message }) => Promise.resolve(void (reason === 'IllegalTransition' && this.trouble.push(message))),
      },
      metrics: { ...noMetrics, passed: (_, outcome) => void (outcome.kind === 'failed' && this.trouble.push(String(outcome.error))) },
      breathe: turn,
    });
    const { signal } = this.#stop;
    const place = { client: this.admin, clock: systemClock, namespace: this.system };
    this.#running = [
      this.record.follow(place, signal),
      playStandIns({ ...place, fates: this.#fates(), ledger: this.ledger }, signal),
      cache.run(signal),
      loop.run(soleTerm(signal)),
    ];
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
    await this.#leave();
  }

  /** A user of that name with all rights. */
  person(name: string): KubeClient {
    return createClient(asUser(this.server, name, { 'impersonate-group': 'system:masters' }));
  }

  /** Breaks a Deployment and opens a request about it. */
  async fire(scenario: string, firing: Firing = {}): Promise<Remediation> {
    const { target = scenario, namespace = this.shop, problem, dryRun, fates } = firing;
    const name = `rr-${scenario}`;
    if (fates) this.#scripts.set(name, fates);
    await unlessThere(() => this.admin.create(Deployment, targetDraft(target, namespace)));
    const now = systemClock.now();
    const draft = requestDraft(name, { target, namespace, system: this.system, now, ...(dryRun !== undefined && { dryRun }) });
    const spec =
      problem === undefined ? draft.spec : { ...draft.spec, signalName: problem, signalFingerprint: hexOf(`${target} ${problem}`) };
    await this.admin.create(RemediationRequest, { ...draft, spec } as Draft<RemediationRequest>);
    return new Remediation(this, name, { namespace, name: target });
  }

  /** What is there by that name; undefined when there is nothing. */
  async find<T extends KubeObject>(resource: Resource<T>, name: string, namespace = this.system): Promise<T | undefined> {
    try {
      return await this.admin.get(resource, { namespace, name });
    } catch (error) {
      if (hasCode(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** For `until`: a recorded time has come. */
  isPast(at: Instant): Promise<true | undefined> {
    return Promise.resolve(systemClock.now() >= at || undefined);
  }

  /** Asks again and again, for a while. */
  async until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
    const deadline = after(systemClock.now(), 20 * SECOND);
    for (;;) {
      const found = await ask();
      if (found !== undefined) return found;
      if (systemClock.now() >= deadline) throw new Error(`${what}: not in time`);
      await systemClock.waitUntil(after(systemClock.now(), 50), this.#stop.signal);
    }
  }

  /** Others share the server: nothing that is left may hold up what they delete. */
  async #leave(): Promise<void> {
    const { items } = await this.admin.list(SignalProcessing, { namespace: this.system });
    for (const item of items.filter(({ metadata }) => metadata.finalizers))
      await this.admin.patch(SignalProcessing, keyOf(item), { type: 'merge', body: { metadata: { finalizers: null } } });
    const namespaces = (await this.admin.list(Namespace, {})).items.map(({ metadata }) => metadata.name);
    for (const name of namespaces.filter((each) => each.startsWith(this.system)))
      await this.admin.delete(Namespace, { namespace: '', name });
  }

  #fates(): Fates {
    const of = (request: string): Fates => ({ ...NOBODY_DECIDES, ...this.#scripts.get(request) });
    return {
      processing: (request, child) => of(request).processing(request, child),
      analysis: (request, child) => of(request).analysis(request, child),
      approval: (request, child) => of(request).approval(request, child),
      execution: (request, child) => of(request).execution(request, child),
      assessment: (request, child) => of(request).assessment(request, child),
      notification: (request, child) => of(request).notification(request, child),
    };
  }
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64);

async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}
