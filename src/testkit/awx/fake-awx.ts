import type { AwxRequest, AwxResponse } from '../../controllers/execution/engines/awx/client/awx-request.ts';
import { AwxAnswer, bad, notFound } from './awx-answer.ts';
import { createCredential, createType, removeType } from './credentials.ts';
import { describeLaunch, launch } from './launch.ts';
import { AwxState, type FakeJob } from './awx-state.ts';

export const AWX_TOKEN = 'awx-token-value';

/** A request as it reaches AWX, over a socket or not. */
export type Incoming = Pick<AwxRequest, 'method' | 'path' | 'query' | 'body' | 'token'>;

type Fields = Readonly<Record<string, unknown>>;

/** One line of what AWX was asked, in order. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Fields;
  readonly body: unknown;
  readonly code: number;
}

/** Filters and other parameters that the documented API has, as far as they are used here. */
const COMMON = ['page', 'page_size', 'order_by'];
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  '/api/v2/job_templates/': ['name'],
  '/api/v2/credential_types/': ['name', 'name__endswith'],
  '/api/v2/credentials/': ['name', 'name__endswith'],
  '/api/v2/jobs/': ['credentials__id'],
};
const MOST_PER_PAGE = 200;

/**
 * An AWX in memory. It answers as the documented API does and holds every request to it: paths and methods that are not there, parameters and
 * fields that it does not know, and values of the wrong type are written down as offences, besides being refusal.
 */
export class FakeAwx {
  readonly state = new AwxState();
  readonly asked: Asked[] = [];
  readonly offences: string[] = [];
  /** Called when a job is launched. */
  onLaunch: (job: FakeJob) => void = () => {};
  /** Called when a client cancels a job; it stops at once unless this says otherwise. */
  onCancel: (job: FakeJob) => void = (job) => void (job.status = 'canceled');

  handle(request: Incoming): AwxResponse {
    const answer = this.#answer(request);
    this.asked.push({ method: request.method, path: request.path, query: request.query ?? {}, body: request.body, code: answer.code });
    return { code: answer.code, text: answer.body === undefined ? '' : JSON.stringify(answer.body) };
  }

  #answer(request: Incoming): { readonly code: number; readonly body?: unknown } {
    try {
      if (request.token !== AWX_TOKEN) throw new AwxAnswer(401, { detail: 'Authentication credentials were not provided.' });
      return this.#route(request);
    } catch (error) {
      if (error instanceof AwxAnswer) return error;
      throw error;
    }
  }

  #route(request: Incoming): { readonly code: number; readonly body?: unknown } {
    const { method, path } = request;
    if (!path.endsWith('/')) throw this.#offence(`${method} ${path}: no slash at the end`, new AwxAnswer(301));
    const [, collection = '', id = '', part = ''] = /^\/api\/v2\/([a-z_]+)\/(?:(\d+)\/(?:([a-z]+)\/)?)?$/.exec(path) ?? [];
    const route = `${method} ${collection}${id ? '/id' : ''}${part ? `/${part}` : ''}`;
    const handler = this.#routes[route];
    if (!handler)
      throw this.#offence(`${method} ${path}: there is no such call`, new AwxAnswer(collection ? 405 : 404, { detail: 'Not found.' }));
    return handler(Number(id), request);
  }

  readonly #routes: Readonly<Record<string, (id: number, request: Incoming) => { readonly code: number; readonly body?: unknown }>> = {
    'GET job_templates': (_, request) => this.#page(request, [...this.state.templates.values()]),
    'GET job_templates/id/launch': (id) => ok(describeLaunch(this.#one(this.state.templates, id))),
    'GET job_templates/id/credentials': (id, request) => this.#page(request, this.#ofTemplate(id)),
    'POST job_templates/id/launch': (id, { body }) => {
      const { job, ignored } = launch(this.state, this.#one(this.state.templates, id), this.#fieldsOf(body, ['extra_vars', 'credentials']));
      this.onLaunch(job);
      return { code: 201, body: { ...shown(job), job: job.id, ignored_fields: ignored } };
    },
    'GET credential_types': (_, request) => this.#page(request, [...this.state.types.values()]),
    'POST credential_types': (_, { body }) =>
      created(createType(this.state, this.#fieldsOf(body, ['name', 'description', 'kind', 'inputs', 'injectors']))),
    'DELETE credential_types/id': (id) => (removeType(this.state, id), { code: 204 }),
    'GET credentials': (_, request) => this.#page(request, [...this.state.credentials.values()].map(hidden)),
    'POST credentials': (_, { body }) =>
      created(
        hidden(createCredential(this.state, this.#fieldsOf(body, ['name', 'description', 'organization', 'credential_type', 'inputs']))),
      ),
    'DELETE credentials/id': (id) => {
      if (!this.state.removeCredential(id)) throw notFound();
      return { code: 204 };
    },
    'GET jobs': (_, request) => this.#page(request, [...this.state.jobs.values()].map(shown)),
    'GET jobs/id': (id) => ok(shown(this.#one(this.state.jobs, id))),
    'GET jobs/id/stdout': (id, { query = {} }) => {
      if (query['format'] !== 'json') throw this.#offence('stdout: only json is understood here', new AwxAnswer(400));
      return ok({ range: { start: 0, end: 1, absolute_end: 1 }, content: this.#one(this.state.jobs, id).stdout });
    },
    'POST jobs/id/cancel': (id) => {
      const job = this.#one(this.state.jobs, id);
      if (job.finished !== null || ['successful', 'failed', 'error', 'canceled'].includes(job.status))
        throw new AwxAnswer(405, { detail: 'Method "POST" not allowed.' });
      job.cancel_flag = true;
      this.onCancel(job);
      return { code: 202 };
    },
  };

  #ofTemplate(id: number): readonly Fields[] {
    return this.#one(this.state.templates, id).credentials.flatMap((one) => {
      const credential = this.state.credentials.get(one);
      return credential ? [hidden(credential)] : [];
    });
  }

  #one<T>(items: ReadonlyMap<number, T>, id: number): T {
    const item = items.get(id);
    if (!item) throw notFound();
    return item;
  }

  #page({ path, query = {} }: Incoming, items: readonly object[]) {
    this.#checkQuery(path, query);
    const size = Number(query['page_size'] ?? 25);
    const found = (items as readonly Fields[]).filter((item) => matches(item, query));
    const number = Number(query['page'] ?? 1);
    const results = found.slice((number - 1) * size, number * size);
    if (number > 1 && results.length === 0) throw new AwxAnswer(404, { detail: 'Invalid page.' });
    const next = found.length > number * size ? `${path}?page=${number + 1}` : null;
    return ok({ count: found.length, next, previous: number > 1 ? `${path}?page=${number - 1}` : null, results });
  }

  #checkQuery(path: string, query: Fields): void {
    const known = [...COMMON, ...(FILTERS[path] ?? [])];
    const unknown = Object.keys(query).find((name) => !known.includes(name));
    if (unknown !== undefined) throw this.#offence(`${path}: no filter ${unknown}`, bad('detail', `no field named ${unknown}`));
    if (Number(query['page_size'] ?? 0) > MOST_PER_PAGE) this.offences.push(`${path}: pages have at most ${MOST_PER_PAGE} results`);
  }

  #fieldsOf(body: unknown, known: readonly string[]): Fields {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw this.#offence('a body that is no object', bad('detail', 'JSON parse error'));
    const unknown = Object.keys(body).find((name) => !known.includes(name));
    if (unknown !== undefined) this.offences.push(`a body with ${unknown}, which is not documented`);
    return body as Fields;
  }

  #offence(text: string, answer: AwxAnswer): AwxAnswer {
    this.offences.push(text);
    return answer;
  }
}

const ok = (body: unknown) => ({ code: 200, body });
const created = (body: unknown) => ({ code: 201, body });

/** What is secret never comes back. */
const hidden = (credential: { readonly inputs: Fields }): Fields => ({
  ...credential,
  inputs: Object.fromEntries(Object.keys(credential.inputs).map((name) => [name, '$encrypted$'])),
});

/** Variables come as text, output has a place of its own. */
const shown = (job: FakeJob): Fields => ({
  id: job.id,
  type: 'job',
  name: job.name,
  job_template: job.job_template,
  status: job.status,
  started: job.started,
  finished: job.finished,
  job_explanation: job.job_explanation,
  cancel_flag: job.cancel_flag,
  extra_vars: JSON.stringify(job.extra_vars),
  credentials: [...job.credentials],
});

function matches(item: Fields, query: Fields): boolean {
  const { name, name__endswith: ending, credentials__id: credential } = query;
  if (name !== undefined && item['name'] !== name) return false;
  if (typeof ending === 'string' && !String(item['name']).endsWith(ending)) return false;
  return credential === undefined || (item['credentials'] as readonly number[]).includes(Number(credential));
}
