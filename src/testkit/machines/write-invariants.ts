import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { KubeObject } from '../../api/meta.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { isObject, sameJson } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import type { Simulation } from '../../simulation/index.ts';
import { inNamespace } from './fleet.ts';
import { isHostCall } from './hosts.ts';
import { REMEDIES } from './kinds.ts';
import { stated } from './remediators.ts';
import type { Testimony } from './observation-log.ts';

const PLURALS = new Map<string, Resource>([Machine, MachineHealthCheck, ...Object.values(REMEDIES)].map((one) => [one.plural, one]));

/** Leases, Events, and what the power-cycle remediator needs: its slot in the budget, and the mark on a Node. */
const OTHERS: ReadonlySet<string> = new Set(['leases', 'events', 'configmaps', 'nodes']);

/**
 * Checks every write of the processes at the server: people and remediators use another client. Writes on behalf of other subjects
 * than checks are covered by other invariants.
 */
export function standAtTheDoor(
  simulation: Simulation,
  testimony: Testimony,
  isOthers: (request: ApiRequest) => boolean = () => false,
): void {
  const found: string[] = [];
  simulation.neighbours.push((request) => {
    const wrong = request.method === 'GET' || isOthers(request) ? undefined : objectionTo(request, simulation, testimony);
    if (wrong !== undefined) found.push(wrong);
    return undefined;
  });
  simulation.require({ name: 'every write is one that a check may make', check: () => found[0] });
}

/** `/apis/group/version/namespaces/metal/machines/a-0/status`. */
interface Address {
  readonly plural: string;
  readonly name: string;
}

export function addressOf({ path }: ApiRequest): Address {
  const parts = path.split('/');
  const at = parts.indexOf('namespaces');
  return at < 0 ? { plural: parts.at(-2) ?? '', name: parts.at(-1) ?? '' } : { plural: parts[at + 2] ?? '', name: parts[at + 3] ?? '' };
}

function objectionTo(request: ApiRequest, simulation: Simulation, testimony: Testimony): string | undefined {
  const { plural, name } = addressOf(request);
  if (isHostCall(request) || OTHERS.has(plural)) return undefined;
  const resource = PLURALS.get(plural);
  if (!resource) return `${request.method} ${request.path}`;
  if (Object.values(REMEDIES).includes(resource)) return ofRequest(request);
  if (request.method === 'DELETE') return `deletes ${resourceName(resource)} ${name}`;
  if (!request.path.endsWith('/status')) return `${request.method} ${request.path}`;
  const current = simulation.mirror.get(resource as Resource<KubeObject & { status?: unknown }>, inNamespace(name));
  return current && ofStatus(current, statusIn(request), testimony);
}

/** Checks create and delete requests, and the remediator owns their status; for Sickbay's own kind that remediator is Sickbay itself. */
const ofRequest = ({ method, path }: ApiRequest): string | undefined =>
  method === 'POST' || method === 'DELETE' || path.includes(`/${REMEDIES.PowerCycleRemediation.plural}/`) ? undefined : `changes ${path}`;

function ofStatus(current: KubeObject & { status?: unknown }, write: StatusWrite | undefined, testimony: Testimony): string | undefined {
  const { name, resourceVersion } = current.metadata;
  if (!write) return `writes the status of ${name} whatever it is now`;
  if (resourceVersion !== write.version) return undefined;
  if (sameJson(current.status, write.status)) return `writes the status of ${name} that it has`;
  return current.kind === Machine.kind ? saysHealth(current as Machine, write, testimony) : undefined;
}

interface StatusWrite {
  readonly version: string;
  readonly status: unknown;
}

/** The only form of status writes: under the resource version that was read. */
export function statusIn({ body }: ApiRequest): StatusWrite | undefined {
  if (!Array.isArray(body)) return undefined;
  const operations = body.filter(isObject);
  const version = operations.find(({ path }) => path === '/metadata/resourceVersion')?.value;
  const status = operations.find(({ path }) => path === '/status')?.value;
  return typeof version === 'string' ? { version, status } : undefined;
}

/** The health condition of a Machine is written by its own reconciler, as it decided. */
function saysHealth(machine: Machine, { version, status }: StatusWrite, testimony: Testimony): string | undefined {
  const health = stated(machine, 'HealthCheckSucceeded');
  const next = stated({ ...machine, status: status as Machine['status'] } as Machine, 'HealthCheckSucceeded');
  if (sameJson(health, next)) return undefined;
  const isDecided = testimony.decisionsOn(machine.metadata.uid, version).some(({ decision }) => sameJson(decision.status, status));
  return isDecided ? undefined : `says of ${machine.metadata.name} whether it is healthy, without having judged it`;
}
