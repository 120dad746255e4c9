import { Compile, type Validator } from 'typebox/compile';
import type { TObject } from 'typebox';
import { lazy } from '../../base/index.ts';
import { ApiProblem, type ProblemStatus } from './api-problem.ts';

/** Where a value comes from, in messages. */
type Part = 'query parameter' | 'path parameter' | 'field';

interface Member {
  readonly type?: string;
  readonly default?: unknown;
}

/** Reads and checks one part of a request. Created once per route: schemas are compiled when the first request comes. */
export class InputReader<S extends TObject = TObject> {
  readonly #schema: S;
  readonly #part: Part;
  readonly #validator: () => Validator;

  constructor(schema: S, part: Part) {
    this.#schema = schema;
    this.#part = part;
    this.#validator = lazy(() => Compile(schema) as unknown as Validator);
  }

  /** Texts of a URL, turned into what the schema says. */
  readTexts(texts: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    const members = this.#schema.properties as Readonly<Record<string, Member>>;
    for (const [name, text] of Object.entries(texts)) {
      if (text === undefined) continue;
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      if (!member) throw this.#unknown(name);
      value[name] = converted(typeof text === 'string' ? text : text.join(','), member);
    }
    return this.#checked(value, 400);
  }

  /** A JSON body. */
  readBody(body: unknown): Record<string, unknown> {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiProblem(400, 'the body must be a JSON object');
    for (const name of Object.keys(body)) if (!Object.hasOwn(this.#schema.properties, name)) throw this.#unknown(name);
    return this.#checked({ ...body }, 422);
  }

  #unknown(name: string): ApiProblem {
    const known = Object.keys(this.#schema.properties);
    const hint = known.length === 0 ? 'there are none here' : `known are ${known.join(', ')}`;
    return new ApiProblem(400, `unknown ${this.#part} ${JSON.stringify(name.slice(0, 64))}: ${hint}`);
  }

  #checked(value: Record<string, unknown>, status: ProblemStatus): Record<string, unknown> {
    const members = this.#schema.properties as Readonly<Record<string, Member>>;
    for (const [name, { default: initial }] of Object.entries(members)) if (initial !== undefined) value[name] ??= initial;
    const validator = this.#validator();
    if (validator.Check(value)) return value;
    const [first] = validator.Errors(value);
    throw new ApiProblem(status, first ? `${this.#part} ${whereIn(first)}${first.message}` : `the ${this.#part}s are not valid`);
  }
}

const whereIn = ({ instancePath }: { readonly instancePath: string }): string =>
  instancePath === '' ? '' : `${instancePath.slice(1).replaceAll('/', '.')} `;

/** A text that is not of the type is left as it is, and refused by the check. */
function converted(text: string, { type }: Member): unknown {
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
