import { entryOf } from '../../base/index.ts';
import type { Environment } from '@marcbachmann/cel-js';
import { celName } from './cel-names.ts';
import type { JsonSchema } from '../../kube/builtin/index.ts';

/** Declares self and oldSelf with the schema's own types, so that a misspelt field or a wrong type is found when the CRD is written. */
export function celType(environment: Environment, schema: JsonSchema, optionalOldSelf: boolean): Environment {
  const types = new TypeNames(environment);
  const self = types.nameOf(schema);
  environment.registerVariable('self', self);
  environment.registerVariable('oldSelf', optionalOldSelf ? `optional<${self}>` : self);
  return environment;
}

const SCALARS: Readonly<Record<string, string>> = { integer: 'int', number: 'double', boolean: 'bool' };
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': 'google.protobuf.Timestamp',
  date: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  byte: 'bytes',
};

class TypeNames {
  readonly #environment: Environment;
  #count = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  nameOf(schema: JsonSchema): string {
    const { type = '', format = '' } = schema;
    if (schema['x-kubernetes-int-or-string']) return 'dyn';
    switch (type) {
      case 'string':
        return entryOf(TEXTS, format) ?? 'string';
      case 'array':
        return `list<${this.nameOf(schema.items ?? {})}>`;
      case 'object':
        return this.#object(schema);
      default:
        return SCALARS[type] ?? 'dyn';
    }
  }

  #object(schema: JsonSchema): string {
    if (typeof schema.additionalProperties === 'object') return `map<string, ${this.nameOf(schema.additionalProperties)}>`;
    if (schema['x-kubernetes-preserve-unknown-fields'] || schema['x-kubernetes-embedded-resource'] || !schema.properties) return 'dyn';
    const fields: Record<string, string> = {};
    for (const [name, member] of Object.entries(schema.properties)) {
      const known = celName(name);
      if (known !== undefined) fields[known] = this.nameOf(member);
    }
    const name = `Object${this.#count++}`;
    this.#environment.registerType(name, { fields });
    this.#environment.registerOperator(`${name} == ${name}`, () => true);
    return name;
  }
}
