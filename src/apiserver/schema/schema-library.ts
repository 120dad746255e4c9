import type { FieldError } from '../field-error.ts';
import type { JsonSchema } from '../../kube/builtin/index.ts';
import { compileSchema, type SchemaNode } from './schema-node.ts';

/**
 * Schemas that were checked and compiled. Servers that share a library, and get the same frozen CRDs, do that work once:
 * it is most of the cost of starting a server.
 */
export class SchemaLibrary {
  readonly #prepared = new WeakMap<JsonSchema, SchemaNode>();
  readonly #sound = new WeakSet<JsonSchema>();

  /** What is wrong with a schema; `check` is not called again once it has found nothing. */
  errors(schema: JsonSchema, check: () => readonly FieldError[]): readonly FieldError[] {
    if (this.#sound.has(schema)) return [];
    const errors = check();
    if (errors.length === 0) this.#sound.add(schema);
    return errors;
  }

  /** The compiled schema; `whole` returns the schema to compile in its place. */
  prepare(schema: JsonSchema, whole: () => JsonSchema): SchemaNode {
    const known = this.#prepared.get(schema);
    if (known) return known;
    const node = compileSchema(whole());
    this.#prepared.set(schema, node);
    return node;
  }
}
