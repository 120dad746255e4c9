import { isObject, type JsonObject } from '../../src/base/index.ts';
import { BUILTINS } from '../../src/apiserver/kinds/builtin-table.ts';
import type { Transport } from '../../src/kube/client/transport.ts';

/** The file with the schemas of built-in kinds. */
export const BUILTIN_SCHEMAS_FILE = 'src/apiserver/kinds/builtin-schemas.json';

interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const REFERENCE = '#/components/schemas/';

/** Kinds that appear in requests and responses, but are not stored. */
const PASSING: readonly KindName[] = [
  ...['Status', 'DeleteOptions', 'Binding'].map((kind) => ({ group: '', version: 'v1', kind })),
  ...['TokenRequest', 'TokenReview', 'SelfSubjectReview'].map((kind) => ({ group: 'authentication.k8s.io', version: 'v1', kind })),
  ...['SubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview'].map((kind) => ({
    group: 'authorization.k8s.io',
    version: 'v1',
    kind,
  })),
  { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  { group: 'policy', version: 'v1', kind: 'Eviction' },
];

const KINDS: readonly KindName[] = [
  ...BUILTINS,
  { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
  ...PASSING,
];

/**
 * The file's text: the components of a server's OpenAPI v3 that our built-in kinds are made of, without descriptions,
 * sorted, one per line.
 */
export async function builtinSchemasText(server: Transport): Promise<string> {
  const all = await componentsOf(server, new Set(KINDS.map(groupPath)));
  const wanted = new Map<string, JsonObject>();
  for (const kind of KINDS) collect(componentOf(kind, all), all, wanted);
  const lines = [...wanted]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

const groupPath = ({ group, version }: KindName): string => (group === '' ? `api/${version}` : `apis/${group}/${version}`);

async function componentsOf(server: Transport, groups: ReadonlySet<string>): Promise<ReadonlyMap<string, JsonObject>> {
  const all = new Map<string, JsonObject>();
  for (const group of groups) {
    const { body } = await server.request({ method: 'GET', path: `/openapi/v3/${group}` });
    const { components } = body as { readonly components: { readonly schemas: JsonObject } };
    for (const [name, schema] of Object.entries(components.schemas)) add(all, name, bare(schema) as JsonObject);
  }
  return all;
}

/** A component that several API groups contain is the same in all, except for the list of its groups. */
function add(all: Map<string, JsonObject>, name: string, schema: JsonObject): void {
  const before = all.get(name);
  const listed = [before, schema].flatMap((one) => (one?.[NAMED_AS] ?? []) as readonly JsonObject[]);
  const names = [...new Set(listed.map((one) => JSON.stringify(one)))].toSorted().map((text) => JSON.parse(text) as JsonObject);
  const merged = names.length > 0 ? sorted({ ...schema, [NAMED_AS]: names }) : schema;
  if (before && bodyOf(before) !== bodyOf(merged)) throw new Error(`two groups describe ${name} differently`);
  all.set(name, merged);
}

const NAMED_AS = 'x-kubernetes-group-version-kind';

const bodyOf = (schema: JsonObject): string => JSON.stringify({ ...schema, [NAMED_AS]: undefined });

/** A schema without descriptions, its members sorted. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, member]) => name !== 'description' || typeof member !== 'string');
  return sorted(Object.fromEntries(kept.map(([name, member]) => [name, bare(member)])));
}

const sorted = (object: JsonObject): JsonObject => Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function componentOf({ group, version, kind }: KindName, all: ReadonlyMap<string, JsonObject>): string {
  for (const [name, schema] of all) {
    const names = (schema[NAMED_AS] ?? []) as readonly KindName[];
    if (names.some((named) => named.group === group && named.version === version && named.kind === kind)) return name;
  }
  throw new Error(`the server does not describe ${kind} of ${group}/${version}`);
}

function collect(name: string, all: ReadonlyMap<string, JsonObject>, wanted: Map<string, JsonObject>): void {
  if (wanted.has(name)) return;
  const schema = all.get(name)!;
  wanted.set(name, schema);
  for (const reference of referencesIn(schema)) collect(reference, all, wanted);
}

function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  const { $ref } = value;
  const here = typeof $ref === 'string' && $ref.startsWith(REFERENCE) ? [$ref.slice(REFERENCE.length)] : [];
  return [...here, ...Object.values(value).flatMap(referencesIn)];
}
