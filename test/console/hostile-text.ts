import { crdOf } from '../../src/api/crd-of.ts';
import type { KindDefinition } from '../../src/api/index.ts';

/** What a browser would run if it were ever taken for markup. */
export const HOSTILE = '<img src=x onerror=alert(1)>';

/** Of a definition, as far as it is read here. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** What names another object keeps its text: without it the page would not find what it shows. */
const NAMES = /^(metadata|apiVersion|kind|name|namespace|uid|remediation|remediationID|correlationID)$|Refs?$/;

/** The sample of a kind with hostile text in every field that takes any text. */
export function hostileSample(kind: KindDefinition): object {
  const [version] = crdOf(kind).spec.versions;
  return withHostileText(kind.sample, version!.schema!.openAPIV3Schema as Schema) as object;
}

function withHostileText(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withHostileText(item, schema?.items));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, NAMES.test(key) ? field : withHostileText(field, fieldOf(schema, key))]),
    );
  return typeof value === 'string' && takesAnyText(schema) ? `${HOSTILE} ${value}`.slice(0, schema?.maxLength) : value;
}

function fieldOf(schema: Schema | undefined, key: string): Schema | undefined {
  const { properties, additionalProperties } = schema ?? {};
  return properties?.[key] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
}

const takesAnyText = (schema: Schema | undefined): boolean =>
  schema?.type === 'string' && !schema.enum && schema.pattern === undefined && schema.format === undefined;
