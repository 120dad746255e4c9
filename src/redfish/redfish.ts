import { isObject, messageOf, SECOND, within, type Clock } from '../base/index.ts';
import { BmcError, type BmcAccess, type BmcDoor, type PowerState } from './bmc.ts';
import { quote } from './quote.ts';
import { overHttp, type RedfishRequest, type RedfishSend } from './redfish-http.ts';
import { refusal } from './refusal.ts';

export interface RedfishOptions {
  /** A clock that nobody can set. */
  readonly steady: Clock;
  /** For everything that one question takes. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10 * SECOND;
const ROOT = '/redfish/v1/';

/** Power by Redfish: reads `PowerState` and posts `ComputerSystem.Reset` with what the host itself says that it takes. */
export function redfishDoor({ steady, timeoutMs = TIMEOUT_MS }: RedfishOptions): BmcDoor {
  const asked = <T>(access: BmcAccess, outer: AbortSignal | undefined, work: (service: Service) => Promise<T>): Promise<T> =>
    inTime(access, outer, () =>
      within(steady, timeoutMs, (late) => {
        const signal = outer ? AbortSignal.any([late, outer]) : late;
        return overHttp(access, (send) => work({ access, send, signal }));
      }),
    );
  return {
    powerOf: (access, signal) => asked(access, signal, async (service) => powerIn(service, await readSystem(service))),
    tell: (access, power, { signal, isTooLate } = {}) =>
      asked(access, signal, async (service) => {
        const request = await resetOf(service, await readSystem(service), power);
        // A process may have stood still while it asked, and what wakes it may be an answer, not the time-out.
        if (isTooLate?.() === true) return 'too late';
        await order(service, request);
        return 'sent';
      }),
  };
}

/** One question: to whom, how, and until when. */
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
    throw new BmcError('Unreachable', `asking ${address}: ${messageOf(error)}: see that it is up and can be reached from here`, error);
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
    throw new BmcError('NotFound', `${address} names no system: see that it is the management controller of the host`);
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
    // What is no JSON is as good as no object.
  }
  throw garbled(service, `the answer to GET ${quote(path, service.access)} is not a Redfish resource`);
}

const POWER_STATES: ReadonlySet<string> = new Set<PowerState>(['On', 'Off', 'PoweringOn', 'PoweringOff', 'Paused']);

function powerIn(service: Service, { PowerState: state }: Json): PowerState {
  if (typeof state === 'string' && POWER_STATES.has(state)) return state as PowerState;
  if (state === undefined) throw garbled(service, 'its system does not tell its PowerState');
  throw garbled(service, `its PowerState is ${quote(JSON.stringify(state), service.access)}`);
}

/** Which kinds of reset will do, best first. None that asks the operating system: it is ill, and may obey long after nobody expects it any more. */
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
  // What could not be switched on again is not switched off.
  if (offered(allowed, 'on') === undefined) throw lacking(service, 'could not switch the host on again, so it is left on', allowed);
  return { method: 'POST', path: target, body: { ResetType: chosen } };
}

/** The best kind of reset that it takes; any where it does not say. */
const offered = (allowed: readonly unknown[] | undefined, power: 'on' | 'off'): string | undefined =>
  RESETS[power].find((type) => allowed === undefined || allowed.includes(type));

const lacking = ({ access }: Service, what: string, allowed: readonly unknown[] = []): BmcError =>
  new BmcError('Refused', `${access.address} ${what}: it offers ${quote(allowed.join(', '), access, 100)}`);

async function order(service: Service, request: RedfishRequest): Promise<void> {
  const answer = await service.send(request, service.signal);
  if (answer.code < 200 || answer.code > 299) throw refusal(service.access, request, answer);
}

/** Named beside the action, or in a resource of their own; undefined where it does not say. */
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

/** On the same service: the password goes nowhere else. */
const isPath = (path: unknown): path is string => typeof path === 'string' && /^\/(?!\/)[\x21-\x7e]*$/.test(path);

const garbled = ({ access }: Service, why: string): BmcError =>
  new BmcError('Garbled', `${access.address}: ${why}: see that the address leads to its Redfish service`);
