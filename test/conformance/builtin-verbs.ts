import { stringify } from 'yaml';
import type { JsonObject } from '../../src/base/index.ts';
import { json } from './both.ts';
import type { Builtin } from './builtins.ts';
import { comparableEvent } from './comparable.ts';
import { compare, type Stand } from './compare.ts';
import { differences } from './differences.ts';
import { edited, type Edit } from './edit.ts';
import { masked, maskedEvents } from './mask.ts';
import type { WireEvent, WireRequest } from './wire.ts';

const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** All verbs on a valid object of a built-in kind, one after the other; gives back every difference. */
export class BuiltinVerbs {
  readonly found: string[] = [];
  readonly #stand: Stand;
  readonly #builtin: Builtin;
  readonly #one: string;
  readonly #missing: string;
  /** The object as each server showed it last. */
  #seen: readonly JsonObject[] = [];

  constructor(stand: Stand, builtin: Builtin) {
    this.#stand = stand;
    this.#builtin = builtin;
    this.#one = `${builtin.path}/${builtin.object.metadata.name}`;
    this.#missing = `${builtin.path}/missing`;
  }

  async run(): Promise<readonly string[]> {
    const { both } = this.#stand;
    const query = { fieldSelector: `metadata.name=${this.#builtin.object.metadata.name}` };
    const watches = await Promise.all([both.real, both.ours].map((wire) => wire.watch({ method: 'GET', path: this.#builtin.path, query })));
    await this.#create();
    await this.#read();
    await this.#patch();
    await this.#update();
    if (this.#builtin.status) await this.#status(this.#builtin.status);
    if (this.#builtin.isScaled) await this.#scale();
    await this.#delete();
    const [real, ours] = await Promise.all(watches.map((watch) => watch.until(({ type }) => type === 'DELETED', 'included')));
    this.#compareEvents(real!, ours!);
    return this.found;
  }

  async #create(): Promise<void> {
    const { path, object, badName = 'b_/' } = this.#builtin;
    await this.#ask('create', json('POST', path, object), 201);
    await this.#ask('create', json('POST', path, object), 409);
    await this.#ask('create', json('POST', path, edited(object, [at('metadata.name', badName)])), 422);
    await this.#ask('create', { ...json('POST', path, edited(object, [at('bogus', 1)])), query: { fieldValidation: 'Strict' } }, 400);
    const second = edited(object, [at('metadata.name', `${object.metadata.name}-2`)]);
    await this.#ask('create', { ...yaml('POST', path, second), query: { dryRun: 'All' } }, 201);
    await this.#ask('create', yaml('POST', path, second), 201);
    await this.#ask('create', yaml('POST', path, second), 409);
  }

  async #read(): Promise<void> {
    const { path, object } = this.#builtin;
    const accepts = [undefined, 'application/yaml', METADATA_ONLY].map((accept) => (accept === undefined ? {} : { accept }));
    for (const accept of accepts) await this.#ask('get', { method: 'GET', path: this.#one, ...accept }, 200);
    for (const accept of accepts) await this.#ask('get', { method: 'GET', path: this.#missing, ...accept }, 404);
    const query = { fieldSelector: `metadata.name=${object.metadata.name}` };
    const lists = [...accepts.slice(0, 2), { accept: METADATA_ONLY.replace(';g', 'List;g') }];
    for (const accept of lists) await this.#ask('list', { method: 'GET', path, query, ...accept }, 200);
    for (const accept of lists) await this.#ask('list', { method: 'GET', path, query: { fieldSelector: 'spec.bogus=1' }, ...accept }, 400);
  }

  async #patch(): Promise<void> {
    const bodies = [
      { type: STRATEGIC, good: this.#builtin.patch, bad: { metadata: { labels: { $patch: 'frob' } } }, code: 400 },
      { type: MERGE, good: { metadata: { annotations: { merged: 'yes' } } }, bad: { metadata: { labels: { x: 'no spaces' } } }, code: 422 },
      {
        type: JSON_PATCH,
        good: [{ op: 'add', path: '/metadata/annotations/added', value: 'yes' }],
        bad: [{ op: 'test', path: '/metadata/name', value: 'other' }],
        code: 422,
      },
    ];
    for (const { type, good, bad, code } of bodies) {
      await this.#ask('patch', { ...json('PATCH', this.#one, good), type, query: { dryRun: 'All' } }, 200);
      await this.#ask('patch', { ...json('PATCH', this.#one, good), type }, 200);
      await this.#ask('patch', { ...json('PATCH', this.#one, bad), type }, type === STRATEGIC ? undefined : code);
      await this.#ask('patch', { ...json('PATCH', this.#missing, good), type }, 404);
    }
  }

  async #update(): Promise<void> {
    await this.#see();
    const put =
      (write: typeof json, where: string, ...edits: readonly Edit[]) =>
      (seen: JsonObject) =>
        write('PUT', where, edited(seen, edits));
    await this.#ask('update', put(json, this.#one, at('metadata.annotations.put', 'yes')), 200);
    await this.#ask('update', put(json, this.#one, at('metadata.annotations.put', 'again')), 409);
    await this.#ask('update', put(json, this.#one, at('metadata.name', 'other')), 400);
    await this.#see();
    await this.#ask('update', put(yaml, this.#one, at('metadata.annotations.put', 'in yaml')), 200);
    await this.#ask('update', put(yaml, this.#one, at('metadata.uid', 'other')), 409);
  }

  async #status(status: JsonObject): Promise<void> {
    const one = `${this.#one}/status`;
    const missing = `${this.#missing}/status`;
    await this.#ask('get status', { method: 'GET', path: one }, 200);
    await this.#ask('get status', { method: 'GET', path: missing }, 404);
    for (const type of [STRATEGIC, MERGE, JSON_PATCH]) {
      const body = type === JSON_PATCH ? [{ op: 'replace', path: '/status', value: status }] : { status };
      await this.#ask('patch status', { ...json('PATCH', one, body), type }, 200);
      await this.#ask('patch status', { ...json('PATCH', missing, body), type }, 404);
    }
    for (const write of [json, yaml]) {
      await this.#see();
      await this.#ask('update status', (seen) => write('PUT', one, edited(seen, [at('status', status), at('spec', {})])), 200);
      await this.#ask('update status', (seen) => write('PUT', one, edited(seen, [at('metadata.resourceVersion', '1')])), 409);
    }
  }

  async #scale(): Promise<void> {
    const one = `${this.#one}/scale`;
    const missing = `${this.#missing}/scale`;
    await this.#ask('get scale', { method: 'GET', path: missing }, 404);
    for (const type of [STRATEGIC, MERGE, JSON_PATCH]) {
      const body = (replicas: number): unknown =>
        type === JSON_PATCH ? [{ op: 'add', path: '/spec/replicas', value: replicas }] : { spec: { replicas } };
      await this.#ask('patch scale', { ...json('PATCH', one, body(2)), type }, 200);
      await this.#ask('patch scale', { ...json('PATCH', one, body(-1)), type }, 422);
      await this.#ask('patch scale', { ...json('PATCH', missing, body(2)), type }, 404);
    }
    await this.#see(one, 'get scale');
    const put =
      (where: string, ...edits: readonly Edit[]) =>
      (seen: JsonObject) =>
        json('PUT', where, edited(seen, edits));
    await this.#ask('update scale', put(one, at('spec.replicas', 0)), 200);
    await this.#ask('update scale', put(one, at('spec.replicas', 5)), 409);
    await this.#ask('update scale', put(one, at('spec.replicas', -5)), 422);
    await this.#ask('update scale', put(one, at('metadata.name', 'other')), 400);
    await this.#ask('update scale', put(missing, at('metadata.name', 'missing')), 404);
  }

  async #delete(): Promise<void> {
    const { path, object } = this.#builtin;
    const remove = (where: string, body?: unknown): WireRequest => (body ? json('DELETE', where, body) : { method: 'DELETE', path: where });
    await this.#ask('delete', remove(this.#one, { dryRun: ['All'] }), 200);
    await this.#ask('delete', remove(this.#one, { preconditions: { uid: 'other' } }), 409);
    await this.#ask('delete', { ...yaml('DELETE', this.#one, { propagationPolicy: 'Foo' }) }, 422);
    await this.#ask('delete', { ...yaml('DELETE', this.#one, { dryRun: ['All'], propagationPolicy: 'Foreground' }) }, 200);
    await this.#ask('delete', { ...remove(this.#one), query: { propagationPolicy: 'Background' } }, 200);
    await this.#ask('delete', remove(this.#one), 404);
    const query = { fieldSelector: `metadata.name=${object.metadata.name}-2` };
    await this.#ask('delete many', { ...remove(path), query: { fieldSelector: 'metadata.name' } }, 400);
    await this.#ask('delete many', { ...remove(path, { dryRun: ['Some'] }), query }, 422);
    await this.#ask('delete many', { ...remove(path, { dryRun: ['All'] }), query }, 200);
    await this.#ask('delete many', { ...remove(path), query: { ...query, propagationPolicy: 'Background' } }, 200);
    await this.#ask('get', { method: 'GET', path: `${this.#one}-2` }, 404);
  }

  async #see(path = this.#one, verb = 'get'): Promise<void> {
    this.#seen = await this.#ask(verb, { method: 'GET', path }, 200);
  }

  /** Asks both the same, or each about what it showed itself; the real one must answer as expected. */
  async #ask(verb: string, asked: WireRequest | ((seen: JsonObject) => WireRequest), code?: number): Promise<readonly JsonObject[]> {
    const [real, ours] = [0, 1].map((i) => (typeof asked === 'function' ? asked(this.#seen[i]!) : asked)) as [WireRequest, WireRequest];
    const compared = await compare(this.#stand, { verb, real, ours });
    this.found.push(...compared.found);
    if (code !== undefined && compared.code !== code)
      this.found.push(`${verb} ${real.path}: expected ${code}, the real server said ${JSON.stringify(compared.answers[0])}`);
    return compared.answers.map(({ body }) => body as JsonObject);
  }

  #compareEvents(real: readonly WireEvent[], ours: readonly WireEvent[]): void {
    const events = maskedEvents(real.map(comparableEvent));
    this.#stand.coverage.add('watch', '-', '200');
    if (events.length !== ours.length)
      this.found.push(`the watch saw ${events.map(({ type }) => type).join()}, ours ${ours.map(({ type }) => type).join()}`);
    for (const [i, event] of ours.map(comparableEvent).entries()) {
      const request = { method: 'GET', path: this.#builtin.path };
      const pair = masked({
        request,
        real: { code: 200, body: events[i] && asObject(events[i]) },
        ours: { code: 200, body: asObject(event) },
      });
      this.found.push(...differences(pair.real, pair.ours).map((line) => `event ${i} of the watch: ${line}`));
    }
  }
}

/** The mask is about answers, so an event is one here. */
const asObject = ({ type, object }: { readonly type: string; readonly object: unknown }): JsonObject => ({
  ...(object as JsonObject),
  type,
});

const at = (path: string, value: unknown): Edit => ({ path: path.split('.'), value });

const yaml = (method: string, path: string, body: unknown): WireRequest => ({
  method,
  path,
  type: 'application/yaml',
  body: stringify(body, { aliasDuplicateObjects: false, version: '1.1' }),
});
