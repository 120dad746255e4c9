import { isObject } from '../../../../../base/index.ts';
import { AwxError, garbage, refusalOf, unanswered } from './awx-error.ts';
import type { AwxRequest, AwxResponse, AwxSend } from './awx-request.ts';

/** Something that AWX keeps under a number and a name. */
export interface AwxItem {
  readonly id: number;
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Where AWX is, and as whom we speak to it. */
export interface AwxAccess {
  readonly apiURL: string;
  readonly token: string;
}

/** More than this of one execution, or of one template, there cannot be. */
const MOST_PAGES = 10;
const PAGE_SIZE = '200';

/** The calls to AWX that an execution needs. Each throws an AwxError that says what was asked, and what came of it. */
export class AwxApi {
  readonly #send: AwxSend;
  readonly #access: AwxAccess;

  constructor(send: AwxSend, access: AwxAccess) {
    this.#send = send;
    this.#access = { ...access, apiURL: access.apiURL.replace(/\/+$/, '') };
  }

  /** All pages of a collection. */
  async list(path: string, query: Readonly<Record<string, string>> = {}): Promise<readonly AwxItem[]> {
    const items: AwxItem[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const request = this.#request('GET', path, { query: { ...query, page_size: PAGE_SIZE, page: String(page) } });
      const { results, next } = await this.#ask(request, [200]);
      if (!Array.isArray(results)) throw garbage(request, 'is no page of results');
      items.push(...results.map((result) => itemOf(request, result)));
      if (next === null || next === undefined) return items;
    }
    throw new AwxError('Internal', `GET ${path}: there are more than ${items.length} results`);
  }

  /** One thing; undefined when AWX says that there is none. */
  async find(path: string, query?: Readonly<Record<string, string>>): Promise<Fields | undefined> {
    const answer = await this.#ask(this.#request('GET', path, query ? { query } : {}), [200, 404]);
    return answer === GONE ? undefined : answer;
  }

  /** Answers what was created. */
  create(path: string, body: unknown, signal?: AbortSignal): Promise<Fields> {
    return this.#ask(this.#request('POST', path, { body }), [201], signal);
  }

  /** An object that is gone counts as deleted, also if another client deleted it. */
  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await this.#ask(this.#request('DELETE', path), [202, 204, 404], signal);
  }

  /** Stopping what has ended (405) or is gone (404) is no failure. */
  async cancel(job: number, signal?: AbortSignal): Promise<void> {
    await this.#ask(this.#request('POST', `${jobPath(job)}cancel/`), [202, 404, 405], signal);
  }

  #request(method: AwxRequest['method'], path: string, rest: Pick<AwxRequest, 'query' | 'body'> = {}): AwxRequest {
    return { method, path, ...this.#access, ...rest };
  }

  async #ask(request: AwxRequest, wanted: readonly number[], signal?: AbortSignal): Promise<Fields> {
    const response = await this.#send(request, signal).catch((error: unknown) => {
      throw error instanceof AwxError ? error : unanswered(request, error);
    });
    if (!wanted.includes(response.code)) throw refusalOf(request, response);
    if (response.code === 404) return gone(request, response);
    return response.code === 200 || response.code === 201 ? fieldsIn(request, response.text) : {};
  }
}

const GONE: Fields = {};

/** AWX says so in JSON. Another 404 comes from somewhere else, and says nothing about what AWX has. */
function gone(request: AwxRequest, response: AwxResponse): Fields {
  if (!/^\s*\{.*"detail"/s.test(response.text)) throw refusalOf(request, response);
  return GONE;
}

type Fields = Readonly<Record<string, unknown>>;

export const jobPath = (id: number): string => `/api/v2/jobs/${id}/`;
export const credentialPath = (id: number): string => `/api/v2/credentials/${id}/`;
export const credentialTypePath = (id: number): string => `/api/v2/credential_types/${id}/`;
export const templatePath = (id: number): string => `/api/v2/job_templates/${id}/`;

function fieldsIn(request: AwxRequest, text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw garbage(request, 'is not JSON');
  }
  if (!isObject(value)) throw garbage(request, 'is no object');
  return value;
}

function itemOf(request: AwxRequest, result: unknown): AwxItem {
  const fields: Fields = isObject(result) ? result : {};
  const { id, name } = fields;
  if (typeof id !== 'number' || !Number.isInteger(id) || typeof name !== 'string')
    throw garbage(request, 'has a result without id or name');
  return { id, name, fields };
}
