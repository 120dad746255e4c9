import { stringify } from 'yaml';
import { isObject, type JsonObject } from '../../src/base/index.ts';
import { edited, type Edit } from './edit.ts';
import { collectionOf, type Subject } from './subjects.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

/** One request of a sequence, before each server's own identities and versions are put in. */
export interface Step {
  readonly verb: Verb;
  /** The object's name; undefined for the collection. */
  readonly name?: string;
  readonly subresource?: string;
  readonly query: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: Body;
}

export type Verb = 'create' | 'get' | 'list' | 'update' | 'patch' | 'delete' | 'delete many';

export type Body =
  /** One of the subject's good objects, changed. */
  | { readonly from: 'good'; readonly pick: number; readonly edits: readonly Edit[] }
  | { readonly from: 'bad'; readonly pick: number }
  /** The object as this server last showed it, changed. */
  | { readonly from: 'seen'; readonly edits: readonly Edit[] }
  | { readonly from: 'value'; readonly value: unknown }
  | { readonly from: 'text'; readonly text: string };

const METHODS: Readonly<Record<Verb, string>> = {
  create: 'POST',
  get: 'GET',
  list: 'GET',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  'delete many': 'DELETE',
};

/** What one server showed so far. */
export class Memory {
  readonly #seen = new Map<string, JsonObject>();
  readonly #namespace: string;
  /** The version after the first step. */
  #first: string | undefined;
  #continue = '';

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  keep(step: Step, { code, body }: WireAnswer): void {
    if (code >= 300 || !isObject(body) || !isObject(body.metadata)) return;
    const { resourceVersion, continue: next } = body.metadata as Readonly<Record<string, string | undefined>>;
    this.#first ??= resourceVersion;
    if (step.verb === 'list') this.#continue = next ?? this.#continue;
    else this.#keepObject(step, body);
  }

  /** Only what is stored, and is shown whole. */
  #keepObject({ name: asked, accept, query }: Step, body: JsonObject): void {
    const { name, resourceVersion } = body.metadata as Readonly<Record<string, string | undefined>>;
    const isWhole = accept === undefined && query.dryRun === undefined;
    if (name !== undefined && resourceVersion !== undefined && isWhole) this.#seen.set(this.fill(asked ?? name), body);
  }

  seen(name: string): JsonObject | undefined {
    return this.#seen.get(this.fill(name));
  }

  /** Puts in what stands for this server's own: `{{ns}}`, `{{rv:a}}`, `{{uid:a}}`, `{{continue}}`. */
  fill(text: string): string {
    return text.replaceAll(/\{\{(\w+)(?::([^}]*))?\}\}/g, (_whole, what: string, name: string) => this.#value(what, name));
  }

  #value(what: string, name: string): string {
    if (what === 'ns') return this.#namespace;
    if (what === 'first') return this.#first ?? '';
    if (what === 'continue') return this.#continue;
    const metadata = (this.#seen.get(name) ?? this.#seen.get(`${this.#namespace}-${name}`))?.metadata as
      Readonly<Record<string, string>> | undefined;
    return metadata?.[what === 'rv' ? 'resourceVersion' : 'uid'] ?? '1';
  }
}

/** The request that a step is for one server. */
export function requestOf(step: Step, subject: Subject, memory: Memory): WireRequest {
  const { query, type, accept, body } = step;
  return {
    method: METHODS[step.verb],
    path: memory.fill([collectionOf(subject, '{{ns}}'), ...below(step)].join('/')),
    query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, memory.fill(value)])),
    ...(type !== undefined && { type }),
    ...(accept !== undefined && { accept }),
    ...(body !== undefined && { body: memory.fill(textOf(step, subject, memory)) }),
  };
}

/** What creates names its object in the body only. */
function below({ verb, name, subresource }: Step): readonly string[] {
  if (name === undefined || (verb === 'create' && subresource === undefined)) return [];
  return subresource === undefined ? [name] : [name, subresource];
}

function textOf({ body, name, type }: Step, subject: Subject, memory: Memory): string {
  if (body?.from === 'text') return body.text;
  const value = valueOf(body!, name, { subject, memory });
  return type === 'application/yaml' ? stringify(value) : JSON.stringify(value);
}

function valueOf(
  body: Exclude<Body, { readonly from: 'text' }>,
  name: string | undefined,
  { subject, memory }: { readonly subject: Subject; readonly memory: Memory },
): unknown {
  const { apiVersion, kind, good, bad } = subject;
  const metadata = { ...(name !== undefined && { name }), ...(!subject.namespaced && { labels: { seq: '{{ns}}' } }) };
  switch (body.from) {
    case 'value':
      return body.value;
    case 'bad':
      return { apiVersion, kind, metadata, ...bad[body.pick % bad.length] };
    case 'good':
      return edited({ apiVersion, kind, metadata, ...good[body.pick % good.length] }, body.edits);
    case 'seen':
      return edited(memory.seen(name ?? '') ?? { apiVersion, kind, metadata, ...good[0] }, body.edits);
  }
}
