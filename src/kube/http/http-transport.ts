import type { Dispatcher } from 'undici';
import { closeConnections, destroyConnections, openConnections, type Connections } from './connections.ts';
import { HttpCall } from './http-call.ts';
import type { HttpConfig, Identity } from './http-config.ts';
import { HttpWatch } from './http-watch.ts';
import type { ApiRequest, ApiResponse, Transport, WatchStream } from '../client/transport.ts';

/** A transport that holds connections until it is closed. */
export interface HttpTransport extends Transport {
  /** Ends all connections; what is under way rejects. */
  close(): Promise<void>;
}

/** Speaks to an API server over HTTP(S). Connections are shared by all calls and kept alive. */
export const httpTransport = (config: HttpConfig): HttpTransport => new UndiciTransport(config);

const ANONYMOUS: Identity = {};
const PARTIAL = 'application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata';

class UndiciTransport implements HttpTransport {
  readonly #config: HttpConfig;
  /** The path in the server's address, which goes before every request's. */
  readonly #prefix: string;
  #refused = false;
  #identity: Identity | undefined;
  #headers = new Map<string, string[]>();
  #connections: Connections | undefined;

  constructor(config: HttpConfig) {
    this.#config = config;
    this.#prefix = new URL(config.server).pathname.replace(/\/$/, '');
  }

  async request(request: ApiRequest, signal?: AbortSignal): Promise<ApiResponse> {
    const { origin, calls } = this.#connect(await this.#who());
    signal?.throwIfAborted();
    const answer = await new Promise<ApiResponse>((resolve, reject) => {
      calls.dispatch(
        this.#options(request, origin, isCollection(request.path)),
        new HttpCall({ resolve, reject }, signal, request.accept === 'text' ? 'text' : 'json'),
      );
    });
    this.#refused = answer.code === 401;
    return answer;
  }

  async watch(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse | WatchStream> {
    const { origin, watches } = this.#connect(await this.#who());
    signal.throwIfAborted();
    const answer = await new Promise<ApiResponse | WatchStream>((resolve, reject) => {
      watches.dispatch(this.#options(request, origin, false), new HttpWatch({ resolve, reject }, signal));
    });
    this.#refused = answer.code === 401;
    return answer;
  }

  async close(): Promise<void> {
    if (this.#connections) await destroyConnections(this.#connections);
    this.#connections = undefined;
  }

  #who(): Identity | Promise<Identity> {
    const { identity = ANONYMOUS } = this.#config;
    return typeof identity === 'function' ? identity(this.#refused) : identity;
  }

  /** Another certificate needs other connections; another token only other headers. */
  #connect(identity: Identity): Connections {
    if (identity !== this.#identity) {
      this.#identity = identity;
      this.#headers = new Map();
    }
    const open = this.#connections;
    if (open && open.cert === identity.cert && open.key === identity.key) return open;
    if (open) void closeConnections(open);
    this.#connections = openConnections(this.#config, identity);
    return this.#connections;
  }

  #options(request: ApiRequest, origin: string, isList: boolean): Dispatcher.DispatchOptions {
    return {
      origin,
      path: this.#prefix + encodePath(request.path) + encodeQuery(request.query),
      method: request.method,
      headers: this.#headersOf(request, isList),
      body: request.body === undefined ? null : JSON.stringify(request.body),
    };
  }

  /** Made once per identity and form of request. */
  #headersOf(request: ApiRequest, isList: boolean): string[] {
    const accept = acceptOf(request, isList);
    const contentType = request.contentType ?? (request.body === undefined ? '' : 'application/json');
    const form = `${accept} ${contentType}`;
    const known = this.#headers.get(form);
    if (known) return known;
    const headers = [
      'accept',
      accept,
      'user-agent',
      this.#config.userAgent ?? 'sickbay',
      ...Object.entries(this.#identity?.headers ?? {}).flat(),
    ];
    if (contentType !== '') headers.push('content-type', contentType);
    this.#headers.set(form, headers);
    return headers;
  }
}

function acceptOf({ accept }: ApiRequest, isList: boolean): string {
  if (accept === 'text') return 'text/plain,*/*';
  return accept === 'metadata' ? `${PARTIAL}${isList ? 'List' : ''},application/json` : 'application/json';
}

/** After `/api/v1` or `/apis/group/version`, collections have an odd number of segments and objects an even one. */
export function isCollection(path: string): boolean {
  const segments = path.split('/').length - 1;
  return (segments - (path.startsWith('/api/') ? 2 : 3)) % 2 === 1;
}

const PLAIN_PATH = /^[A-Za-z0-9\-._~/:]*$/;

const encodePath = (path: string): string => (PLAIN_PATH.test(path) ? path : path.split('/').map(encodeURIComponent).join('/'));

function encodeQuery(query: Readonly<Record<string, string>> | undefined): string {
  let text = '';
  for (const name in query) text += `${text === '' ? '?' : '&'}${name}=${encodeURIComponent(query[name] ?? '')}`;
  return text;
}
