import type { FieldError } from '../field-error.ts';
import type { JsonSchema } from '../../kube/builtin/index.ts';
import { compileSchema, type SchemaNode } from './schema-node.ts';

/**
 * Schemas that were checked and prepared. Servers that share a library, and are given the same frozen CRDs, do that work once:
 * it is most of what starting a server costs.
 */
export class SchemaLibrary {
  readonly #prepared = new WeakMap<JsonSchema, SchemaNode>();
  readonly #sound = new WeakSet<JsonSchema>();

  /** What is wrong with a schema; `check` is asked until it finds nothing. */
  errors(schema: JsonSchema, check: () => readonly FieldError[]): readonly FieldError[] {
    if (this.#sound.has(schema)) return [];
    const errors = check();
    if (errors.length === 0) this.#sound.add(schema);
    return errors;
  }

  /** The schema, prepared; `whole` is what is prepared in its place. */
  prepare(schema: JsonSchema, whole: () => JsonSchema): SchemaNode {
    const known = this.#prepared.get(schema);
    if (known) return known;
    const node = compileSchema(whole());
    this.#prepared.set(schema, node);
    return node;
  }
}
