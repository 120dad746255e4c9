import type { WorkflowExecution } from '../../../../../api/workflow-execution/workflow-execution.ts';
import { ephemeralName, variableName } from '../awx-names.ts';

/** A Secret that the workflow depends on: which entries it has, never what they say. */
export interface SecretKeys {
  readonly name: string;
  readonly keys: readonly string[];
}

/** What a credential is filled with, at the moment that it is made. */
export type CredentialSource =
  | { readonly kind: 'Secret'; readonly name: string; readonly keys: readonly string[] }
  /** A short-lived token of this ServiceAccount, with the address of the cluster. */
  | { readonly kind: 'Token'; readonly account: string }
  | { readonly kind: 'Nothing' };

/** A credential that an execution needs in AWX, and the type that says what it does to a job. */
export interface NeededCredential {
  /** Of both: they are one pair, and go together. */
  readonly name: string;
  readonly source: CredentialSource;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly injectors: Readonly<Record<string, unknown>>;
}

/**
 * Two credentials are always there, and do nothing to a job:
 * - without its fence nothing can be launched: AWX refuses a launch that names a deleted credential, so a launch that was delayed cannot
 *   take effect later;
 * - by its mark a job is found for as long as the mark is there: it is the first that is made and the last that goes.
 */
const FENCE = 'fence';
const MARK = 'mark';

const fenceName = (metadata: WorkflowExecution['metadata']): string => ephemeralName(FENCE, metadata);
export const markName = (metadata: WorkflowExecution['metadata']): string => ephemeralName(MARK, metadata);

/** Everything that has to be in AWX before the job is launched. `account` is whose token the job gets; none outside a cluster. */
export function neededCredentials(
  { metadata }: WorkflowExecution,
  needs: { readonly secrets: readonly SecretKeys[]; readonly account: string | undefined },
): readonly NeededCredential[] {
  const empty = { source: { kind: 'Nothing' }, inputs: {}, injectors: {} } as const;
  const { account } = needs;
  return [
    { name: markName(metadata), ...empty },
    { name: fenceName(metadata), ...empty },
    ...needs.secrets.map((secret) => ({ name: ephemeralName(`secret-${secret.name}`, metadata), ...secretCredential(secret) })),
    ...(account === undefined ? [] : [{ name: ephemeralName('k8s', metadata), ...tokenCredential(account) }]),
  ];
}

function secretCredential({ name, keys }: SecretKeys): Omit<NeededCredential, 'name'> {
  const variables = keys.map((key) => ({ key, variable: variableName('SECRET', name, key) }));
  return {
    source: { kind: 'Secret', name, keys },
    inputs: { fields: variables.map(({ key, variable }) => ({ id: variable, label: key, type: 'string', secret: true })) },
    injectors: { env: Object.fromEntries(variables.map(({ variable }) => [variable, `{{ ${variable} }}`])) },
  };
}

/** What modules of `kubernetes.core` look for when a playbook says nothing. The certificate has to be a file. */
const tokenCredential = (account: string): Omit<NeededCredential, 'name'> => ({
  source: { kind: 'Token', account },
  inputs: {
    fields: [
      { id: 'host', label: 'Kubernetes API', type: 'string' },
      { id: 'bearer_token', label: 'Token', type: 'string', secret: true },
      { id: 'ssl_ca_cert', label: 'Certificate authority', type: 'string', multiline: true },
    ],
  },
  injectors: {
    file: { template: '{{ ssl_ca_cert }}' },
    env: {
      K8S_AUTH_HOST: '{{ host }}',
      K8S_AUTH_API_KEY: '{{ bearer_token }}',
      K8S_AUTH_SSL_CA_CERT: '{{ tower.filename }}',
      K8S_AUTH_VERIFY_SSL: 'True',
    },
  },
});
