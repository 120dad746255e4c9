import type { ServerResponse } from 'node:http';
import { httpServer, sendJson, type Arrived, type HttpServer } from '../../kube/testing/http-server.ts';

/** One system of a Redfish service that can be made to lie. */
export interface FakeSystem {
  /** The power state that it reports, whatever was requested. */
  PowerState: unknown;
  allowed?: readonly string[] | undefined;
  /** Lists the allowed values in a separate ActionInfo resource instead. */
  viaActionInfo?: boolean;
  /** Without it there is no such action. */
  target?: string | undefined;
}

export interface FakeRedfish {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** Kinds of reset that it was told. */
  readonly resets: string[];
  readonly systems: Record<string, FakeSystem>;
  /** Answers instead, where it returns true. */
  intercept: (request: Arrived, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

export const CREDENTIALS = { username: 'admin', password: 'secret-of-the-host' };
/** As they come over the wire. */
export const SENT = `Basic ${Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64')}`;

/** Starts a service with one system, `1`, which is on and obeys. */
export async function fakeRedfish(): Promise<FakeRedfish> {
  const systems: Record<string, FakeSystem> = { '1': { PowerState: 'On', allowed: ['On', 'ForceOff'] } };
  const resets: string[] = [];
  const server: HttpServer = await httpServer((request, response) => {
    if (fake.intercept(request, response)) return;
    if (request.headers.authorization !== SENT) return sendJson(response, 401, said('no such user'));
    const [code, body] = request.method === 'POST' ? reset(request, systems, resets) : resource(request.url, systems);
    sendJson(response, code, body);
  });
  const fake: FakeRedfish = {
    url: server.url,
    arrived: server.arrived,
    resets,
    systems,
    intercept: () => false,
    close: () => server.close(),
  };
  return fake;
}

const said = (message: string) => ({
  error: { code: 'Base.1.0.GeneralError', message: 'See ExtendedInfo', '@Message.ExtendedInfo': [{ Message: message }] },
});

type Answer = readonly [code: number, body: unknown];

function resource(url: string, systems: Record<string, FakeSystem>): Answer {
  if (url === '/redfish/v1/') return [200, { Systems: { '@odata.id': '/redfish/v1/Systems' } }];
  if (url === '/redfish/v1/Systems')
    return [200, { Members: Object.keys(systems).map((id) => ({ '@odata.id': `/redfish/v1/Systems/${id}` })) }];
  const [, id = '', rest] = /^\/redfish\/v1\/Systems\/([^/]+)(\/ResetActionInfo)?$/.exec(url) ?? [];
  const system = systems[id];
  if (!system) return [404, said(`there is no ${url}`)];
  if (rest)
    return [
      200,
      {
        Parameters: [
          { Name: 'Other', AllowableValues: [] },
          { Name: 'ResetType', AllowableValues: system.allowed },
        ],
      },
    ];
  return [200, { PowerState: system.PowerState, Actions: { '#ComputerSystem.Reset': actionOf(id, system) } }];
}

const actionOf = (
  id: string,
  { allowed, viaActionInfo = false, target = `/redfish/v1/Systems/${id}/Actions/ComputerSystem.Reset` }: FakeSystem,
) => ({
  ...(target !== '' && { target }),
  ...(viaActionInfo
    ? { '@Redfish.ActionInfo': `/redfish/v1/Systems/${id}/ResetActionInfo` }
    : { 'ResetType@Redfish.AllowableValues': allowed }),
});

function reset({ url, body }: Arrived, systems: Record<string, FakeSystem>, resets: string[]): Answer {
  const [, id = ''] = /^\/redfish\/v1\/Systems\/([^/]+)\/Actions\/ComputerSystem.Reset$/.exec(url) ?? [];
  if (!systems[id]) return [404, said('no such system')];
  resets.push((JSON.parse(body) as { ResetType: string }).ResetType);
  return [204, undefined];
}
