import { isObject, messageOf, SECOND, within, type Clock } from '../base/index.ts';
import { BmcError, type BmcAccess, type BmcClient, type PowerState } from './bmc.ts';
import { quote } from './quote.ts';
import { overHttp, type RedfishRequest, type RedfishSend } from './redfish-http.ts';
import { refusal } from './refusal.ts';

export interface RedfishOptions {
  /** A monotonic clock. */
  readonly steady: Clock;
  /** The timeout of one operation with all its requests. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10 * SECOND;
const ROOT = '/redfish/v1/';

/** Power by Redfish: reads `PowerState` and posts `ComputerSystem.Reset` with a type of reset that the host itself offers. */
export function createRedfishClient({ steady, timeoutMs = TIMEOUT_MS }: RedfishOptions): BmcClient {
  const asked = <T>(access: BmcAccess, outer: AbortSignal | undefined, work: (service: Service) => Promise<T>): Promise<T> =>
    inTime(access, outer, () =>
      within(steady, timeoutMs, (late) => {
        const signal = outer ? AbortSignal.any([late, outer]) : late;
        return overHttp(access, (send) => work({ access, send, signal }));
      }),
    );
  return {
    powerOf: (access, signal) => asked(access, signal, async (service) => powerIn(service, await readSystem(service))),
    setPower: (access, power, { signal, isExpired } = {}) =>
      asked(access, signal, async (service) => {
        const request = await resetOf(service, await readSystem(service), power);
        // A process that was frozen during a request may be resumed by its response instead of the timeout.
        if (isExpired?.() === true) return 'expired';
        await order(service, request);
        return 'sent';
      }),
  };
}

/** One operation: its host, its connection and its deadline. */
interface Service {
  readonly access: BmcAccess;
  readonly send: RedfishSend;
  readonly signal: AbortSignal;
}

type Json = Readonly<Record<string, unknown>>;

async function inTime<T>({ address }: BmcAccess, outer: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BmcError || outer?.aborted) throw error;
    throw new BmcError('Unreachable', `asking ${address}: ${messageOf(error)}: check that it is running and reachable from here`, error);
  }
}

async function readSystem(service: Service): Promise<Json> {
  return get(service, await systemPath(service));
}

/** The path of the system that is named; undefined where none is. */
export function namedSystem({ system }: Pick<BmcAccess, 'system'>): string | undefined {
  if (system === undefined) return undefined;
  return system.startsWith('/') ? system : `${ROOT}Systems/${encodeURIComponent(system)}`;
}

async function systemPath(service: Service): Promise<string> {
  const { access } = service;
  const { address } = access;
  const named = namedSystem(access);
  if (named !== undefined) return named;
  const collection = linkIn(await get(service, ROOT), 'Systems');
  const { Members: members } = collection === undefined ? {} : await get(service, collection);
  const paths = (Array.isArray(members) ? members : []).flatMap((member: unknown) => pathIn(member) ?? []);
  const [only] = paths;
  if (only !== undefined && paths.length === 1) return only;
  if (paths.length === 0)
    throw new BmcError('NotFound', `${address} lists no system: check that it is the management controller of the host`);
  throw new BmcError(
    'NotFound',
    `${address} has ${paths.length} systems: name one under system in the Secret (${quote(paths.join(', '), access)})`,
  );
}

async function get(service: Service, path: string): Promise<Json> {
  const request = { method: 'GET', path } as const;
  const answer = await service.send(request, service.signal);
  if (answer.code !== 200) throw refusal(service.access, request, answer);
  try {
    const body: unknown = JSON.parse(answer.text);
    if (isObject(body)) return body;
  } catch {
    // What is not JSON is treated like any value that is not an object.
  }
  throw garbled(service, `the answer to GET ${quote(path, service.access)} is not a Redfish resource`);
}

const POWER_STATES: ReadonlySet<string> = new Set<PowerState>(['On', 'Off', 'PoweringOn', 'PoweringOff', 'Paused']);

function powerIn(service: Service, { PowerState: state }: Json): PowerState {
  if (typeof state === 'string' && POWER_STATES.has(state)) return state as PowerState;
  if (state === undefined) throw garbled(service, 'its system reports no PowerState');
  throw garbled(service, `its PowerState is ${quote(JSON.stringify(state), service.access)}`);
}

/** Acceptable types of reset, best first. None involves the operating system: an unhealthy one may shut down long after the request was abandoned. */
const RESETS = { on: ['On', 'ForceOn'], off: ['ForceOff'] } as const;

async function resetOf(service: Service, system: Json, power: 'on' | 'off'): Promise<RedfishRequest> {
  const { access } = service;
  const { Actions: actions } = system;
  const action = isObject(actions) ? actions['#ComputerSystem.Reset'] : undefined;
  const target = isObject(action) ? action['target'] : undefined;
  if (!isObject(action) || !isPath(target)) throw new BmcError('Refused', `${access.address} offers no reset of this system`);
  const allowed = await allowedResets(service, action);
  const chosen = offered(allowed, power);
  if (chosen === undefined) throw lacking(service, `cannot switch the host ${power}`, allowed);
  // A host that could not be switched on again is not switched off.
  if (offered(allowed, 'on') === undefined) throw lacking(service, 'could not switch the host on again, so it is left on', allowed);
  return { method: 'POST', path: target, body: { ResetType: chosen } };
}

/** The best type of reset that it offers; any type where it lists none. */
const offered = (allowed: readonly unknown[] | undefined, power: 'on' | 'off'): string | undefined =>
  RESETS[power].find((type) => allowed === undefined || allowed.includes(type));

const lacking = ({ access }: Service, what: string, allowed: readonly unknown[] = []): BmcError =>
  new BmcError('Refused', `${access.address} ${what}: it offers ${quote(allowed.join(', '), access, 100)}`);

async function order(service: Service, request: RedfishRequest): Promise<void> {
  const answer = await service.send(request, service.signal);
  if (answer.code < 200 || answer.code > 299) throw refusal(service.access, request, answer);
}

/** Listed at the action or in a separate resource; undefined where it lists none. */
async function allowedResets(service: Service, action: Json): Promise<readonly unknown[] | undefined> {
  const beside = action['ResetType@Redfish.AllowableValues'];
  if (Array.isArray(beside)) return beside as readonly unknown[];
  const info = action['@Redfish.ActionInfo'];
  if (!isPath(info)) return undefined;
  const { Parameters: parameters } = await get(service, info);
  const about = (Array.isArray(parameters) ? parameters : []).find((one: unknown) => isObject(one) && one['Name'] === 'ResetType') as
    Json | undefined;
  const values = about?.['AllowableValues'];
  return Array.isArray(values) ? (values as readonly unknown[]) : undefined;
}

const linkIn = (resource: Json, name: string): string | undefined => pathIn(resource[name]);

function pathIn(link: unknown): string | undefined {
  const path = isObject(link) ? link['@odata.id'] : undefined;
  return isPath(path) ? path : undefined;
}

/** Must be on the same service: the password is sent nowhere else. */
const isPath = (path: unknown): path is string => typeof path === 'string' && /^\/(?!\/)[\x21-\x7e]*$/.test(path);

const garbled = ({ access }: Service, why: string): BmcError =>
  new BmcError('Garbled', `${access.address}: ${why}: check that the address is that of its Redfish service`);
