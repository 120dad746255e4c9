import type { WorkflowExecution } from '../../../../../api/workflow-execution/workflow-execution.ts';
import { sameJson } from '../../../../../base/index.ts';
import { variableName } from '../awx-names.ts';
import { CONTEXT_VARIABLES } from './extra-vars.ts';
import type { AwxStart, AwxTemplate } from '../observed-awx.ts';
import type { NeededCredential } from './needed-credentials.ts';

type Plan = WorkflowExecution['spec'];

/** What an operator must fix before the workflow can run in AWX, if anything. Until then nothing is created in AWX. */
export function startFault(plan: Plan, seen: AwxStart): string | undefined {
  return missing(seen) ?? collision(plan, seen) ?? templateFault(plan, seen);
}

function missing({ secrets, configMaps, account }: AwxStart): string | undefined {
  const secret = secrets.find(({ read }) => read.kind === 'absent');
  if (secret) return `Secret ${secret.name}, which the workflow depends on, is not in the execution namespace`;
  const configMap = configMaps.find(({ read }) => read.kind === 'absent');
  if (configMap) return `ConfigMap ${configMap.name}, which the workflow depends on, is not in the execution namespace`;
  return account?.isNamed && account.read.kind === 'absent'
    ? `ServiceAccount ${account.name}, which the workflow runs as, is not in the execution namespace`
    : undefined;
}

/** Two entries whose names come out the same: one would silently stand in for the other. */
function collision(spec: Plan, { secrets, configMaps }: AwxStart): string | undefined {
  const variables = [
    ...Object.keys(spec.parameters ?? {}),
    ...CONTEXT_VARIABLES,
    ...configMaps.flatMap((one) => entries('CONFIGMAP', one)),
  ];
  const environment = secrets.flatMap((one) => entries('SECRET', one));
  const twice = [variables, environment].flatMap((names) => names.filter((name, index) => names.indexOf(name) !== index))[0];
  return twice && `the variable ${twice} would come from more than one parameter or entry: rename one of them`;
}

function entries(
  kind: 'SECRET' | 'CONFIGMAP',
  { name, read }: AwxStart['secrets'][number] | AwxStart['configMaps'][number],
): readonly string[] {
  if (read.kind !== 'value') return [];
  const keys = Array.isArray(read.value) ? (read.value as readonly string[]) : Object.keys(read.value);
  return keys.map((key) => variableName(kind, name, key));
}

function templateFault(spec: Plan, seen: AwxStart): string | undefined {
  const { template } = seen;
  const named = `job template ${JSON.stringify(spec.workflowRef.engineConfig?.['jobTemplateName'])} (engineConfig.jobTemplateName)`;
  if (template.kind === 'absent') return `AWX has no ${named}, or does not show it to the user of the token`;
  if (template.kind === 'several') return `AWX has several of the name of ${named}: set ansible.organizationID to the one that is meant`;
  if (template.kind === 'unreadable') return undefined;
  const fault = launchFault(template.value, Object.keys(spec.parameters ?? {}), seen);
  return fault && `${named} ${fault}`;
}

/** AWX silently leaves out what a template does not ask for. */
function launchFault(template: AwxTemplate, parameters: readonly string[], { configMaps }: AwxStart): string | undefined {
  if (!template.asksVariables)
    return 'does not prompt for variables on launch, so the playbook would not receive its parameters: enable it';
  if (!template.asksCredentials) return 'does not prompt for credentials on launch, so it could not receive any: enable it';
  if (template.needsInventory) return 'has no inventory: give it one';
  if (template.passwordsNeeded.length > 0)
    return `has credentials that ask for a password on launch (${template.passwordsNeeded.join(', ')})`;
  const known = new Set([...parameters, ...CONTEXT_VARIABLES, ...configMaps.flatMap((one) => entries('CONFIGMAP', one))]);
  const needed = template.variablesNeeded.filter((name) => !known.has(name));
  return needed.length > 0 ? `needs ${needed.join(', ')}, which the workflow does not pass` : undefined;
}

/** A credential type of our name with other content: the Secret was changed since, or the type was changed in AWX. */
export function changedType(wanted: readonly NeededCredential[], types: AwxStart['types']): string | undefined {
  const other = types.find(({ name, fields }) => {
    const meant = wanted.find((one) => one.name === name);
    return meant && !sameJson(fields['injectors'] ?? {}, meant.injectors);
  });
  return other && `credential type ${other.name} in AWX is not what the workflow needs: a Secret, or the type, was changed meanwhile`;
}
