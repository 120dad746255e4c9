import { AwxAnswer, bad, notFound } from './awx-answer.ts';
import type { AwxState, FakeCredential, FakeCredentialType } from './awx-state.ts';

type Fields = Readonly<Record<string, unknown>>;

const NAME_MAX = 512;
const IDENTIFIER = /^[a-zA-Z_]+[a-zA-Z0-9_]*$/;

/** POST /api/v2/credential_types/ */
export function createType(state: AwxState, fields: Fields): FakeCredentialType {
  const name = nameIn(fields);
  const { kind, inputs = {}, injectors = {} } = fields;
  if (kind !== 'cloud' && kind !== 'net') throw bad('kind', 'not a valid choice.');
  if (!isObject(inputs) || !isObject(injectors)) throw bad('inputs', 'must be an object');
  const declared = fieldIds(inputs);
  checkInjectors(injectors, declared);
  if ([...state.types.values()].some((type) => type.name === name && type.kind === kind))
    throw new AwxAnswer(400, { __all__: ['Credential type with this Name and Kind already exists.'] });
  const type = { id: state.nextId(), name, kind, inputs, injectors };
  state.types.set(type.id, type);
  return type;
}

/** DELETE /api/v2/credential_types/{id}/ */
export function removeType(state: AwxState, id: number): void {
  if ([...state.credentials.values()].some(({ credential_type }) => credential_type === id))
    throw new AwxAnswer(403, { detail: 'Credential types that are in use cannot be deleted' });
  if (!state.types.delete(id)) throw notFound();
}

/** POST /api/v2/credentials/ */
export function createCredential(state: AwxState, fields: Fields): FakeCredential {
  const { inputs = {}, description = '' } = fields;
  const draft = {
    name: nameIn(fields),
    description: typeof description === 'string' ? description : '',
    organization: organizationIn(state, fields),
    credential_type: typeIn(state, fields).id,
    inputs: inputs as Fields,
  };
  checkInputs(inputs, typeIn(state, fields));
  const isTaken = (other: FakeCredential): boolean =>
    other.name === draft.name && other.organization === draft.organization && other.credential_type === draft.credential_type;
  if ([...state.credentials.values()].some(isTaken))
    throw bad('__all__', 'Credential with this Organization, Name and Credential type already exists.');
  const credential = { id: state.nextId(), ...draft };
  state.credentials.set(credential.id, credential);
  return credential;
}

function typeIn(state: AwxState, { credential_type: id }: Fields): FakeCredentialType {
  if (typeof id !== 'number') throw bad('credential_type', 'This field is required.');
  const type = state.types.get(id);
  if (!type) throw bad('credential_type', `Invalid pk "${id}" - object does not exist.`);
  return type;
}

function organizationIn(state: AwxState, { organization }: Fields): number {
  if (organization === undefined) throw bad('detail', "Missing 'user', 'team', or 'organization'.");
  if (typeof organization !== 'number' || !state.organizations.has(organization))
    throw bad('organization', 'Invalid pk - object does not exist.');
  return organization;
}

function checkInputs(inputs: unknown, type: FakeCredentialType): void {
  if (!isObject(inputs)) throw bad('inputs', 'must be an object');
  const declared = fieldIds(type.inputs);
  const extra = Object.keys(inputs).find((id) => !declared.includes(id));
  if (extra !== undefined) throw bad('inputs', `Additional properties are not allowed ('${extra}' was unexpected)`);
}

function nameIn({ name }: Fields): string {
  if (typeof name !== 'string' || name === '') throw bad('name', 'This field is required.');
  if (name.length > NAME_MAX) throw bad('name', `Ensure this field has no more than ${NAME_MAX} characters.`);
  return name;
}

function fieldIds(inputs: Fields): readonly string[] {
  const { fields = [] } = inputs;
  if (!Array.isArray(fields)) throw bad('inputs', 'fields must be a list');
  return fields.map((field: Fields) => {
    const { id, label, type = 'string' } = field;
    if (typeof id !== 'string' || !IDENTIFIER.test(id)) throw bad('inputs', 'an id that does not match');
    if (typeof label !== 'string') throw bad('inputs', "'label' is a required property");
    if (type !== 'string' && type !== 'boolean') throw bad('inputs', 'a type that is not known');
    return id;
  });
}

/** Templates may use the fields of the type, and the file that it makes. */
function checkInjectors(injectors: Fields, declared: readonly string[]): void {
  const { env = {}, file = {}, extra_vars: variables = {}, ...others } = injectors;
  if (Object.keys(others).length > 0) throw bad('injectors', 'Additional properties are not allowed');
  for (const [name, text] of Object.entries({ ...(env as Fields), ...(variables as Fields) })) {
    if (!IDENTIFIER.test(name)) throw bad('injectors', `'${name}' does not match`);
    checkTemplate(String(text), [...declared, ...(Object.keys(file as Fields).length > 0 ? ['tower.filename'] : [])]);
  }
  for (const text of Object.values(file as Fields)) checkTemplate(String(text), declared);
}

function checkTemplate(text: string, known: readonly string[]): void {
  const used = [...text.matchAll(/\{\{\s*([^}]*?)\s*\}\}/g)].map(([, name = '']) => name);
  const unknown = used.find((name) => !known.includes(name));
  if (unknown !== undefined) throw bad('injectors', `${text} uses an undefined field (${unknown})`);
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
