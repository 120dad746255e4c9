import { Lease } from '../../kube/builtin/lease.ts';
import type { ObjectKey } from '../../api/meta.ts';
import { hasCode, sameJson, type Clock, type Instant } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { heldLease, judgeLease, releasedLease, type LeaseSpec, type SeenLease } from './lease.ts';

export interface LeaseHolderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly steady: Clock;
  readonly lease: ObjectKey;
  /** Must differ between any two processes, and between two lives of one. */
  readonly identity: string;
  readonly durationMs: number;
}

/** Who holds the lease after an attempt: this replica, another one, or undecided because another write came between. */
export type Attempt = 'ours' | 'theirs' | 'contended';

/** Takes, renews and gives back one Lease. Every write is under the version that was read, so of two takers one loses. */
export class LeaseHolder {
  readonly #options: LeaseHolderOptions;
  #seen: SeenLease | undefined;
  /** The lease as our own last write left it: good for one renewal without reading first. */
  #ours: Lease | undefined;

  constructor(options: LeaseHolderOptions) {
    this.#options = options;
  }

  /** Who holds the lease, as far as we have seen. */
  get holder(): string {
    return this.#seen?.spec.holderIdentity ?? '';
  }

  /** Tries once. Throws when the server does not answer, or answers with something else than yes or no. */
  async takeOrRenew(signal: AbortSignal): Promise<Attempt> {
    const known = this.#ours;
    this.#ours = undefined;
    if (known !== undefined && (await this.#write(known, signal)) === 'ours') return 'ours';
    const lease = await this.#read(signal);
    if (lease === undefined) return this.#create(signal);
    const seen = this.#notice(lease.spec ?? {});
    const { identity, steady } = this.#options;
    return judgeLease(seen, identity, steady.now()) === 'held' ? 'theirs' : this.#write(lease, signal);
  }

  /** Gives the lease back if it is still ours. */
  async release(signal: AbortSignal): Promise<void> {
    const { client, clock, identity } = this.#options;
    const lease = await this.#read(signal);
    if (lease?.spec?.holderIdentity !== identity) return;
    this.#ours = undefined;
    const released = await client.update(Lease, { ...lease, spec: releasedLease(lease.spec, clock.now()) }, { signal });
    this.#notice(released.spec ?? {});
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#options.client.get(Lease, this.#options.lease, { signal });
    } catch (error) {
      if (hasCode(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async #create(signal: AbortSignal): Promise<Attempt> {
    const { client, clock, lease } = this.#options;
    const draft = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...lease },
      spec: heldLease(undefined, this.#options, clock.now()),
    };
    return this.#won(() => client.create(Lease, draft, { signal }));
  }

  #write(lease: Lease, signal: AbortSignal): Promise<Attempt> {
    const { client, clock } = this.#options;
    const spec = heldLease(lease.spec ?? {}, this.#options, clock.now());
    return this.#won(() => client.update(Lease, { ...lease, spec }, { signal }));
  }

  /** A write that lost to another one is no failure. */
  async #won(write: () => Promise<Lease>): Promise<Attempt> {
    try {
      this.#ours = await write();
      this.#notice(this.#ours.spec ?? {});
      return 'ours';
    } catch (error) {
      if (hasCode(error, 'Conflict') || hasCode(error, 'AlreadyExists') || hasCode(error, 'NotFound')) return 'contended';
      throw error;
    }
  }

  #notice(spec: LeaseSpec): SeenLease {
    if (this.#seen === undefined || !sameJson(this.#seen.spec, spec)) this.#seen = { spec, since: this.#now() };
    return this.#seen;
  }

  #now(): Instant {
    return this.#options.steady.now();
  }
}
