import type { Draft } from '../src/api/meta.ts';
import { RemediationWorkflow } from '../src/api/remediation-workflow/remediation-workflow.ts';
import { readLibrary } from './library.ts';

type Entry = Draft<RemediationWorkflow>;
type Parameter = Entry['spec']['parameters'][number];

const USAGE = `usage: node workflows/main.ts NAME [--dry-run | --undo]
       node workflows/main.ts [NAME] --help

Runs one workflow on the target that environment variables name, in the cluster of the pod's account or of $KUBECONFIG.

  --dry-run  changes nothing; prints what would change
  --undo     undoes the latest change that the workflow made to the target, as recorded on it

Exit codes: 0 done, or already so. 1 not done, or only in part. 2 told something that it cannot use; nothing was changed.
            3 a precondition is not met; nothing was changed.`;

/** The help text; of one workflow, or of all. */
export async function helpText(name?: string): Promise<string> {
  const library = await readLibrary({ namespace: 'sickbay-system', executionNamespace: 'kubernaut-workflows' });
  const catalogue = library.filter(({ resource }) => resource === RemediationWorkflow).map(({ draft }) => draft as Entry);
  const entry = catalogue.find(({ metadata }) => metadata.name === name);
  return entry ? aboutOne(entry) : `${USAGE}\n\nWorkflows:\n${catalogue.map(line).join('\n')}`;
}

const line = ({ metadata: { name = '' }, spec }: Entry): string => `  ${name.padEnd(20)} ${spec.description.what}`;

function aboutOne({ metadata, spec: { description, parameters } }: Entry): string {
  const { what, whenToUse, whenNotToUse = 'nothing is known against it', preconditions = 'none' } = description;
  return [
    `${metadata.name}: ${what}`,
    `  when:     ${whenToUse}`,
    `  not when: ${whenNotToUse}`,
    `  needs:    ${preconditions}`,
    '',
    'Environment variables (TARGET_UID and WORKFLOW_EXECUTION are set by the system):',
    ...parameters.map(parameterLine),
  ].join('\n');
}

function parameterLine({ name, required, description, ...rest }: Parameter): string {
  const fallback = 'default' in rest && rest.default !== undefined ? `; ${JSON.stringify(rest.default)} when absent` : '';
  return `  ${name.padEnd(26)} ${required === true ? 'required' : 'optional'}: ${description}${fallback}`;
}
