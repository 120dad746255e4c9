import type { ApiRequest, ApiResponse, Transport } from '../../../src/kube/client/transport.ts';

/** What a process asked of the API server. Plain data, to be handed from one process to another. */
export interface Tally {
  readonly reads: number;
  /** Those that the server took, by verb and kind: `create aianalyses`, `patch remediationrequests/status`. */
  readonly writes: Readonly<Record<string, number>>;
  /** Those that it refused: a view that was no longer true, a name that was taken. */
  readonly refused: Readonly<Record<string, number>>;
  /** Status writes on each RemediationRequest. */
  readonly statusWrites: Readonly<Record<string, number>>;
  /** The writes of one remediation as they were sent. */
  readonly sample: readonly SampledWrite[];
}

/** A write, and when it was sent by the clock that all processes of a machine share. */
export interface SampledWrite {
  readonly at: number;
  readonly request: Pick<ApiRequest, 'method' | 'path' | 'contentType' | 'body' | 'query'>;
}

const VERBS: Readonly<Record<ApiRequest['method'], string>> = {
  GET: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

export const STATUS_WRITE = 'patch remediationrequests/status';

/** Counts the calls of a transport. */
export class Counter {
  /** The request whose writes are kept. */
  readonly #sampled: string;
  readonly #underWay = new Set<Promise<void>>();
  #reads = 0;
  #writes: Record<string, number> = {};
  #refused: Record<string, number> = {};
  #statusWrites: Record<string, number> = {};
  #sample: SampledWrite[] = [];

  constructor(sampled: string) {
    this.#sampled = sampled;
  }

  /** The same transport, counted. */
  counted(transport: Transport): Transport {
    return {
      request: (request, signal) => {
        const at = performance.timeOrigin + performance.now();
        const answer = transport.request(request, signal);
        const noted = answer.then(
          (answered) => this.#note(request, answered, at),
          () => increase(this.#refused, 'no answer'),
        );
        this.#underWay.add(noted);
        void noted.then(() => this.#underWay.delete(noted));
        return answer;
      },
      watch: (request, signal) => transport.watch(request, signal),
    };
  }

  /** What was counted since the last time. A watcher often sees a write before its sender has the answer, which is waited for. */
  async take(): Promise<Tally> {
    await Promise.all(this.#underWay);
    const tally = {
      reads: this.#reads,
      writes: this.#writes,
      refused: this.#refused,
      statusWrites: this.#statusWrites,
      sample: this.#sample,
    };
    this.#reads = 0;
    [this.#writes, this.#refused, this.#statusWrites, this.#sample] = [{}, {}, {}, []];
    return tally;
  }

  #note(request: ApiRequest, { code }: ApiResponse, at: number): void {
    if (request.method === 'GET') return void this.#reads++;
    const { resource, name } = whatIn(request.path);
    const kind = `${VERBS[request.method]} ${resource}`;
    if (code >= 300) return increase(this.#refused, kind);
    increase(this.#writes, kind);
    if (kind === STATUS_WRITE) increase(this.#statusWrites, name);
    if (isAbout(request, this.#sampled)) {
      const { method, path, contentType, body, query } = request;
      this.#sample.push({ at, request: { method, path, body, ...(contentType && { contentType }), ...(query && { query }) } });
    }
  }
}

const increase = (counts: Record<string, number>, key: string): void => void (counts[key] = (counts[key] ?? 0) + 1);

/** The kind that a path is about, with its subresource, and the name of the object. */
export function whatIn(path: string): { readonly resource: string; readonly name: string } {
  const all = path.split('/').slice(1);
  const rest = all.slice(all[0] === 'api' ? 2 : 3);
  const [plural = '', name = '', subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest;
  return { resource: subresource === undefined ? plural : `${plural}/${subresource}`, name };
}

/** Whether it is a write on the request or on one of its children, whose names end with its own. */
function isAbout({ path, body }: ApiRequest, request: string): boolean {
  const { name } = whatIn(path);
  const created = (body as { readonly metadata?: { readonly name?: string } } | undefined)?.metadata?.name ?? '';
  return `${name} ${created}`.split(' ').some((named) => named.endsWith(request));
}

export const totalOf = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
