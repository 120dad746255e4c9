import { ConfigMap, Node, Pod } from '../../api/builtin/index.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { sameJson, type Instant } from '../../base/index.ts';
import type { ApiRequest, Transport } from '../../kube/client/transport.ts';
import type { Simulation } from '../../simulation/index.ts';
import { inNamespace, nodeKey } from '../machines/fleet.ts';
import { stated } from '../machines/remediators.ts';
import { addressOf, statusIn } from '../machines/write-invariants.ts';

/** What an owner may write, by verb; all else is for others. `PATCH` of what is below a slash only. */
const ALLOWED: ReadonlySet<string> = new Set([
  `POST ${Machine.plural}`,
  `PATCH ${Machine.plural}`,
  `PATCH ${Machine.plural}/status`,
  `DELETE ${Machine.plural}`,
  `PATCH ${MachineSet.plural}/status`,
  `PATCH ${Node.plural}`,
  `DELETE ${Node.plural}`,
  `POST ${Pod.plural}/eviction`,
  `POST ${ConfigMap.plural}`,
  `PATCH ${ConfigMap.plural}`,
]);

/** Observes the requests that reach the server in the owner's name. */
export class OwnersDoor {
  readonly #simulation: Simulation;
  readonly #signed = new WeakSet<ApiRequest>();
  readonly #found: string[] = [];
  /** Node by UID → when the first eviction of one of its pods was requested. */
  readonly drained = new Map<string, Instant>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    simulation.neighbours.push((request) => {
      if (this.isOwners(request) && request.method !== 'GET') this.#look(request);
      return undefined;
    });
    simulation.require({ name: 'every write of an owner is one that it may make', check: () => this.#found[0] });
  }

  isOwners = (request: ApiRequest): boolean => this.#signed.has(request);

  /** Whatever goes through it comes in the owner's name. */
  sign = (transport: Transport): Transport => ({
    request: (request, signal) => {
      this.#signed.add(request);
      return transport.request(request, signal);
    },
    watch: (request, signal) => transport.watch(request, signal),
  });

  #look(request: ApiRequest): void {
    const { plural, name } = addressOf(request);
    const part = /\/(status|eviction)$/.exec(request.path)?.[0] ?? '';
    if (!ALLOWED.has(`${request.method} ${plural}${part}`)) this.#found.push(`${request.method} ${request.path}`);
    if (part === '/eviction') this.#noteEviction(name);
    const resource = [Machine, MachineSet].find((one) => one.plural === plural);
    const wrong = part === '/status' && resource ? this.#ofStatus(resource, name, request) : undefined;
    if (wrong !== undefined) this.#found.push(wrong);
  }

  #noteEviction(name: string): void {
    const { mirror, time } = this.#simulation;
    const node = mirror.get(Node, nodeKey(mirror.get(Pod, inNamespace(name))?.spec?.nodeName ?? ''));
    if (node && !this.drained.has(node.metadata.uid)) this.drained.set(node.metadata.uid, time.now());
  }

  /** Under the version that was seen, never what is there already, and nothing about its health. */
  #ofStatus(resource: Resource, name: string, request: ApiRequest): string | undefined {
    const current = this.#simulation.mirror.get(resource as Resource<KubeObject & { readonly status?: unknown }>, inNamespace(name));
    const write = statusIn(request);
    if (!write) return `writes the status of ${name} whatever it is now`;
    if (current?.metadata.resourceVersion !== write.version) return undefined;
    if (sameJson(current.status, write.status)) return `writes the status of ${name} that it has`;
    if (resource.kind !== Machine.kind) return undefined;
    const next = { ...current, status: write.status } as Machine;
    const isSame = sameJson(stated(current as Machine, 'HealthCheckSucceeded'), stated(next, 'HealthCheckSucceeded'));
    return isSame ? undefined : `says of ${name} whether it is healthy`;
  }
}
