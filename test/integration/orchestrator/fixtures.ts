import { kinds } from '../../../src/api/kinds.ts';
import { admissionPolicies } from '../../../src/api/policies/index.ts';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import type { GuardedServer } from '../../../src/apiserver/testing/guarded-servers.ts';
import { after, MINUTE, systemClock } from '../../../src/base/index.ts';
import { installKinds } from '../../../src/kube/client/install-kinds.ts';
import { installPolicies } from '../../../src/kube/client/install-policies.ts';
import { requestDraft } from '../../../src/testkit/orchestrator/index.ts';
import { ANNOTATIONS } from '../../../src/api/well-known.ts';
import { STAGES, type StageName } from './settings.ts';
import { Stage } from './fixture.ts';

/** The server that the stages share, and how it differs from others. */
export interface House {
  readonly server: GuardedServer;
  /** Ours holds names against their owners by itself; a real one does so by policies. */
  readonly needsPolicies: boolean;
}

/** Every orchestrator of the suite, on one server. */
export class Stages implements Readonly<Record<StageName, Stage>> {
  #stages: Readonly<Record<StageName, Stage>> | undefined;
  #house: House | undefined;

  get calm(): Stage {
    return this.#opened().calm;
  }
  get hasty(): Stage {
    return this.#opened().hasty;
  }
  get eager(): Stage {
    return this.#opened().eager;
  }
  get brief(): Stage {
    return this.#opened().brief;
  }
  get dry(): Stage {
    return this.#opened().dry;
  }
  get all(): readonly Stage[] {
    return Object.values(this.#opened());
  }
  /** Whether a garbage collector of ours is at work, which needs no other process. */
  get isOurs(): boolean {
    return this.#house?.needsPolicies === false;
  }

  async open(house: House): Promise<void> {
    const { server } = house;
    this.#house = house;
    const stage = (name: StageName): Stage => new Stage(server, name, STAGES[name]);
    this.#stages = { calm: stage('calm'), hasty: stage('hasty'), eager: stage('eager'), brief: stage('brief'), dry: stage('dry') };
    await installKinds(kinds, { client: this.calm.admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    // As far as its orchestrator knows, no admission policy checks names on the eager stage.
    for (const each of this.all) await each.open(each !== this.eager);
    if (house.needsPolicies) await this.#enforcePolicies();
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((stage) => stage.close()));
    await this.#house?.server.close();
  }

  /** A policy is in force a moment after it is there. */
  async #enforcePolicies(): Promise<void> {
    const { calm } = this;
    await installPolicies(admissionPolicies(calm.system), calm.admin);
    const draft = requestDraft('forged', { target: 'forged', system: calm.system, now: systemClock.now() });
    const metadata = { ...draft.metadata, annotations: { [ANNOTATIONS.cancelBy]: 'nobody' } };
    await calm.until('the policies are in force', () =>
      calm.admin.create(RemediationRequest, { ...draft, metadata }, { dryRun: true }).then(
        () => undefined,
        () => true,
      ),
    );
  }

  #opened(): Readonly<Record<StageName, Stage>> {
    if (!this.#stages) throw new Error('the stages are not open yet: ask for them inside a test');
    return this.#stages;
  }
}
