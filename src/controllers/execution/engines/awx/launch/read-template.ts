import { templatePath, type AwxApi } from '../client/awx-api.ts';
import type { AwxStart } from '../observed-awx.ts';

/** Finds a job template by its name, and what it takes to launch it. */
export async function readTemplate(api: AwxApi, name: unknown, organization: number): Promise<AwxStart['template']> {
  if (typeof name !== 'string') return { kind: 'absent' };
  const found = (await api.list('/api/v2/job_templates/', { name })).filter((item) => item.name === name);
  const own = found.length > 1 ? found.filter(({ fields }) => fields['organization'] === organization) : found;
  const [template] = own;
  if (!template) return { kind: found.length > 1 ? 'several' : 'absent' };
  if (own.length > 1) return { kind: 'several' };
  const launch = await api.find(`${templatePath(template.id)}launch/`);
  if (!launch) return { kind: 'absent' };
  const credentials = await api.list(`${templatePath(template.id)}credentials/`);
  return {
    kind: 'value',
    value: {
      id: template.id,
      credentials: credentials.map(({ id }) => id),
      asksVariables: launch['ask_variables_on_launch'] === true,
      asksCredentials: launch['ask_credential_on_launch'] === true,
      needsInventory: launch['inventory_needed_to_start'] === true,
      passwordsNeeded: words(launch['passwords_needed_to_start']),
      variablesNeeded: words(launch['variables_needed_to_start']),
    },
  };
}

const words = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []);
