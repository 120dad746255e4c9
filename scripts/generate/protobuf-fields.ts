import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file with the fields of protobuf messages. */
export const PROTOBUF_FIELDS_FILE = 'src/apiserver/protobuf/fields.json';

/** Packages whose messages clients send: path in the Go modules, and name in the generated file. */
const PACKAGES: readonly (readonly [module: 'api' | 'apimachinery', folder: string, name: string])[] = [
  ['apimachinery', 'pkg/apis/meta/v1', 'meta/v1'],
  ...['apps', 'authentication', 'authorization', 'autoscaling', 'batch', 'coordination', 'core', 'policy', 'rbac'].map(
    (group) => ['api', `${group}/v1`, `${group}/v1`] as const,
  ),
];

/** Types whose JSON form differs from their Go struct. */
const SPECIAL: Readonly<Record<string, string>> = {
  'meta/v1.Time': 'Time',
  'meta/v1.MicroTime': 'MicroTime',
  'meta/v1.Duration': 'Duration',
  'meta/v1.FieldsV1': 'Json',
  'api/resource.Quantity': 'Quantity',
  'util/intstr.IntOrString': 'IntOrString',
  'pkg/runtime.RawExtension': 'Json',
  'authentication/v1.ExtraValue': 'Texts',
  'authorization/v1.ExtraValue': 'Texts',
};

const PLAIN: Readonly<Record<string, string>> = { string: 'string', bool: 'bool', int32: 'int', int64: 'int', '[]byte': 'bytes' };

type Fields = Readonly<Record<string, string>>;

/**
 * The file's text: for each message the JSON name and type of each of its numbered fields, read from the struct tags in the
 * sources of Kubernetes' Go modules. `?` marks what may be absent, `!` what is written even when it is zero.
 */
export function protobufFieldsText(modules: string, version: string): string {
  const found = new Map<string, Fields>();
  for (const [module, folder, name] of PACKAGES) {
    const place = join(modules, `${module}@${version}`, folder);
    for (const file of readdirSync(place).filter((each) => /^(?:types|meta)\w*\.go$|^types\.go$/.test(each))) {
      const source = readFileSync(join(place, file), 'utf8');
      for (const [type, fields] of messagesIn(source, name, aliasesIn(modules, version))) found.set(type, fields);
    }
  }
  const lines = [...found]
    .filter(([type]) => !(type in SPECIAL))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, fields]) => `${JSON.stringify(type)}:${JSON.stringify(fields)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

type Aliases = ReadonlyMap<string, string>;

/** Named types that are not structs, such as `type PodPhase string`. */
function aliasesIn(modules: string, version: string): Aliases {
  const aliases = new Map<string, string>([
    ['pkg/types.UID', 'string'],
    ['pkg/types.NodeName', 'string'],
  ]);
  for (const [module, folder, name] of PACKAGES) {
    const place = join(modules, `${module}@${version}`, folder, 'types.go');
    if (!existsSync(place)) continue;
    for (const [, type, of] of readFileSync(place, 'utf8').matchAll(/^type (\w+) ((?:map|string|bool|int\d\d|\[\])\S*)$/gm)) {
      aliases.set(`${name}.${type!}`, of!);
    }
  }
  return aliases;
}

function messagesIn(source: string, packageName: string, aliases: Aliases): readonly (readonly [string, Fields])[] {
  const imports = importsIn(source);
  return [...source.matchAll(/^type (\w+) struct \{\n([^]*?)^\}/gm)].flatMap(([, type, body]) => {
    const fields = fieldsIn(body!, (given) => typeOf(given, { packageName, imports, aliases }));
    return Object.keys(fields).length === 0 ? [] : [[`${packageName}.${type!}`, fields] as const];
  });
}

/** Import aliases of a file: `metav1` → `meta/v1`. */
function importsIn(source: string): ReadonlyMap<string, string> {
  const [, block = ''] = /^import \(([^]*?)^\)/m.exec(source) ?? [];
  return new Map(
    [...block.matchAll(/^\s*(\w+)?\s*"(\S+)"$/gm)].map(([, alias, path]) => {
      const segments = path!.split('/');
      return [alias ?? segments.at(-1)!, segments.slice(-2).join('/')] as const;
    }),
  );
}

function fieldsIn(body: string, resolve: (type: string) => string): Fields {
  const found: Record<string, string> = {};
  for (const [, declared, tags] of body.matchAll(/^\s*([^/\n`]+?)\s*`([^`]*)`/gm)) {
    const [, json] = /\bjson:"([^"]*)"/.exec(tags!) ?? [];
    const [, number] = /\bproto(?:buf)?:"\w+,(\d+),/.exec(tags!) ?? [];
    if (json === undefined || number === undefined) continue;
    const given = declared!.trim().split(/\s+/).at(-1)!;
    const [name = '', ...options] = json.split(',');
    const type = resolve(given.replace(/^\*/, ''));
    const mark = given.startsWith('*') ? '?' : options.includes('omitempty') || options.includes('inline') ? '' : '!';
    found[number] = `${name}:${mark}${type}`;
  }
  return found;
}

interface Scope {
  readonly packageName: string;
  readonly imports: ReadonlyMap<string, string>;
  readonly aliases: Aliases;
}

function typeOf(given: string, scope: Scope): string {
  const plain = PLAIN[given];
  if (plain !== undefined) return plain;
  if (given.startsWith('[]')) return `[]${typeOf(given.slice(2).replace(/^\*/, ''), scope)}`;
  const [, value] = /^map\[[\w.]+\](.+)$/.exec(given) ?? [];
  if (value !== undefined) return `{}${typeOf(value, scope)}`;
  const [first, second] = given.split('.');
  const full = second === undefined ? `${scope.packageName}.${first!}` : `${scope.imports.get(first!) ?? first!}.${second}`;
  const alias = scope.aliases.get(full);
  const special = SPECIAL[full];
  if (special !== undefined) return special;
  // What an alias stands for is written in the package of the alias.
  return alias === undefined ? full : typeOf(alias, aliasScope(full, scope));
}

const RESOURCE = new Map([['resource', 'api/resource']]);

const aliasScope = (full: string, scope: Scope): Scope => ({
  ...scope,
  packageName: full.slice(0, full.lastIndexOf('.')),
  imports: new Map([...scope.imports, ...RESOURCE]),
});
