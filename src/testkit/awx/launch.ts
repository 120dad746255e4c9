import { AwxAnswer, bad } from './awx-answer.ts';
import { environmentOf, type AwxState, type FakeCredential, type FakeJob, type FakeTemplate } from './awx-state.ts';

type Fields = Readonly<Record<string, unknown>>;

/** GET /api/v2/job_templates/{id}/launch/ */
export const describeLaunch = (template: FakeTemplate): Fields => ({
  can_start_without_user_input: !template.inventory_needed_to_start && template.passwords_needed_to_start.length === 0,
  ask_variables_on_launch: template.ask_variables_on_launch,
  ask_credential_on_launch: template.ask_credential_on_launch,
  inventory_needed_to_start: template.inventory_needed_to_start,
  passwords_needed_to_start: template.passwords_needed_to_start,
  variables_needed_to_start: template.variables_needed_to_start,
  job_template_data: { id: template.id, name: template.name, description: '' },
});

/** POST /api/v2/job_templates/{id}/launch/. What the template does not ask for is left out, and said to be. */
export function launch(state: AwxState, template: FakeTemplate, fields: Fields): { readonly job: FakeJob; readonly ignored: Fields } {
  const given = givenIn(fields);
  const ignored = ignoredOf(template, given);
  const variables = 'extra_vars' in ignored ? {} : (given.variables ?? {});
  const credentials = 'credentials' in ignored ? template.credentials : (given.credentials ?? template.credentials);
  checkCredentials(state, template, { given: given.credentials ?? [], used: credentials });
  const lacking = template.variables_needed_to_start.find((name) => !(name in variables));
  if (lacking !== undefined) throw new AwxAnswer(400, { variables_needed_to_start: [`'${lacking}' value missing`] });
  if (template.inventory_needed_to_start) throw bad('inventory', "Job Template 'inventory' is missing or undefined.");
  const job = jobFor(state, template, { variables, credentials });
  state.jobs.set(job.id, job);
  return { job, ignored };
}

const ignoredOf = (template: FakeTemplate, { variables, credentials }: Given): Fields => ({
  ...(template.ask_variables_on_launch || variables === undefined ? {} : { extra_vars: variables }),
  ...(template.ask_credential_on_launch || credentials === undefined ? {} : { credentials }),
});

const jobFor = (state: AwxState, template: FakeTemplate, { variables, credentials }: Required<Given>): FakeJob => ({
  id: state.nextId(),
  name: template.name,
  job_template: template.id,
  status: 'pending',
  started: null,
  finished: null,
  job_explanation: '',
  extra_vars: variables,
  credentials: new Set(credentials),
  environment: environmentOf(state, credentials),
  stdout: '',
  cancel_flag: false,
});

interface Given {
  readonly variables?: Fields;
  readonly credentials?: readonly number[];
}

function givenIn({ extra_vars: variables, credentials }: Fields): Given {
  if (variables !== undefined && (typeof variables !== 'object' || variables === null || Array.isArray(variables)))
    throw bad('extra_vars', 'must be an object');
  if (credentials !== undefined && !(Array.isArray(credentials) && credentials.every(Number.isInteger)))
    throw bad('credentials', 'Incorrect type. Expected pk value.');
  return {
    ...(variables === undefined ? {} : { variables: variables as Fields }),
    ...(credentials === undefined ? {} : { credentials: credentials as readonly number[] }),
  };
}

function checkCredentials(
  state: AwxState,
  template: FakeTemplate,
  { given, used }: { readonly given: readonly number[]; readonly used: readonly number[] },
): void {
  const missing = given.find((id) => !state.credentials.has(id));
  if (missing !== undefined) throw bad('credentials', `Invalid pk "${missing}" - object does not exist.`);
  const kinds = used.flatMap((id) => state.credentials.get(id)?.credential_type ?? []);
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice !== undefined) throw bad('credentials', `Cannot assign multiple ${state.types.get(twice)?.name ?? ''} credentials.`);
  const isReplaced = (own: number): boolean => kinds.includes((state.credentials.get(own) as FakeCredential).credential_type);
  const removed = template.credentials.find((own) => state.credentials.has(own) && !used.includes(own) && !isReplaced(own));
  if (removed !== undefined) throw bad('credentials', 'Removing credential at launch time without replacement is not supported.');
}
