import { Secret, ServiceAccount, type TokenRequest } from '../../../../api/builtin/index.ts';
import { keyOf, keyText } from '../../../../api/meta.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { assertNever, HOUR, isObject, parseTime, PlatformError, SECOND, type Clock, type Logger } from '../../../../base/index.ts';
import type { KubeClient } from '../../../../kube/client/client.ts';
import type { CallHandler } from '../../../../runtime/reconcile/effects.ts';
import type { Settings, SettingsSource } from '../../../settings.ts';
import { AwxApi, credentialPath, credentialTypePath, templatePath } from './client/awx-api.ts';
import type { AwxConnection, ClusterAddress } from './awx-connection.ts';
import { AwxError } from './client/awx-error.ts';
import { variableName } from './awx-names.ts';
import type { AwxStep } from './awx-step.ts';
import { noToken, tokenKey, tokenOf } from './read-awx.ts';
import { tokenNote } from './launch/token-expiry.ts';
import type { CredentialSource, NeededCredential } from './launch/needed-credentials.ts';

export interface AwxCallDeps {
  readonly door: AwxConnection;
  readonly client: KubeClient;
  readonly settings: SettingsSource;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Changes AWX, one thing at a time. What AWX says against it is noted for the next look, which decides what follows; so is silence. Secrets
 * are read here, at the moment that they are handed over, and kept nowhere.
 */
export function createAwxCalls(deps: AwxCallDeps): CallHandler {
  return async ({ input, subject }, signal) => {
    const { notes } = deps.door;
    const step = input as AwxStep;
    const about = step.do === 'launch' ? 'launch' : 'rest';
    try {
      await perform(step, { ...deps, execution: subject as WorkflowExecution, signal });
      notes.set(subject.metadata.uid, about, undefined);
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatformError)) throw error;
      notes.set(subject.metadata.uid, about, { code: error.code, message: error.message });
      deps.log.warn('AWX refused a call or did not answer', {
        step: step.do,
        execution: keyText(keyOf(subject)),
        code: error.code,
        error: error.message,
      });
    }
  };
}

interface Task extends AwxCallDeps {
  readonly execution: WorkflowExecution;
  readonly signal: AbortSignal;
}

async function perform(step: AwxStep, task: Task): Promise<void> {
  const settings = task.settings();
  const api = await connect(task, settings);
  switch (step.do) {
    case 'create type':
      return createType(api, step.wanted, task.signal);
    case 'create credential':
      return createCredential(api, step, { ...task, organization: settings.ansible.organizationID });
    case 'launch':
      return launch(api, step, task.signal);
    case 'delete credential':
      return api.remove(credentialPath(step.id), task.signal);
    case 'delete type':
      return api.remove(credentialTypePath(step.id), task.signal);
    case 'cancel':
      return api.cancel(step.job, task.signal);
    default:
      return assertNever(step);
  }
}

async function connect({ client, door, signal }: Task, settings: Settings): Promise<AwxApi> {
  const secret = await client.get(Secret, tokenKey(settings), { signal });
  const token = tokenOf({ kind: 'value', value: secret }, settings);
  if (token.kind !== 'value') throw new AwxError('Unauthorized', noToken(settings));
  return new AwxApi(door.send, { apiURL: settings.ansible.apiURL ?? '', token: token.value });
}

async function createType(api: AwxApi, { name, inputs, injectors }: NeededCredential, signal: AbortSignal): Promise<void> {
  await unlessThere(api, { path: '/api/v2/credential_types/', name }, () =>
    api.create('/api/v2/credential_types/', { name, kind: 'cloud', inputs, injectors }, signal),
  );
}

async function createCredential(
  api: AwxApi,
  { wanted, type }: Extract<AwxStep, { do: 'create credential' }>,
  task: Task & { readonly organization: number },
): Promise<void> {
  const { inputs, description } = await contentOf(wanted.source, task);
  const body = { name: wanted.name, description, organization: task.organization, credential_type: type, inputs };
  await unlessThere(api, { path: '/api/v2/credentials/', name: wanted.name }, () => api.create('/api/v2/credentials/', body, task.signal));
}

/** Names are unique in AWX. A refusal because the name exists means that another client created it a moment ago. */
async function unlessThere(
  api: AwxApi,
  { path, name }: { readonly path: string; readonly name: string },
  create: () => Promise<unknown>,
): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof AwxError) || error.code !== 'Invalid') throw error;
    if ((await api.list(path, { name })).length === 0) throw error;
  }
}

interface Content {
  readonly inputs: Readonly<Record<string, string>>;
  readonly description: string;
}

function contentOf(source: CredentialSource, task: Task): Content | Promise<Content> {
  switch (source.kind) {
    case 'Nothing':
      return { inputs: {}, description: '' };
    case 'Secret':
      return secretContent(source, task);
    case 'Token':
      return tokenContent(source.account, task);
    default:
      return assertNever(source);
  }
}

async function secretContent({ name, keys }: Extract<CredentialSource, { kind: 'Secret' }>, task: Task): Promise<Content> {
  const namespace = task.settings().executionNamespace;
  const { data = {} } = await task.client.get(Secret, { namespace, name }, { signal: task.signal });
  const inputs = keys.map((key) => [variableName('SECRET', name, key), textOf(data[key], `Secret ${namespace}/${name}, entry ${key}`)]);
  return { inputs: Object.fromEntries(inputs) as Readonly<Record<string, string>>, description: '' };
}

/** A variable of the environment is text. */
function textOf(encoded: string | undefined, what: string): string {
  if (encoded === undefined) throw new AwxError('Invalid', `${what} no longer exists`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
    if (!text.includes('\0')) return text;
  } catch {
    // Falls through to what is wrong with both.
  }
  throw new AwxError('Invalid', `${what} is not text, so it cannot be passed to a playbook`);
}

/** Never our own token: the playbook has the rights of the workflow's account and no others, and only for as long as it may run. */
async function tokenContent(account: string, task: Task): Promise<Content> {
  const { cluster } = task.door;
  if (!cluster) throw new AwxError('Invalid', 'no address of the cluster is configured for playbooks');
  const body: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: secondsLeft(task) },
  };
  const key = { namespace: task.settings().executionNamespace, name: account };
  const answer = (await task.client.subresource(ServiceAccount, key, { name: 'token', body }, { signal: task.signal })) as TokenRequest;
  if (!answer.status?.token) throw new AwxError('Invalid', `the API server returned no token for ServiceAccount ${keyText(key)}`);
  return { inputs: inputsOf(cluster, answer.status.token), description: tokenNote(answer.status.expirationTimestamp) };
}

const inputsOf = ({ host, ca }: ClusterAddress, token: string): Content['inputs'] => ({ host, bearer_token: token, ssl_ca_cert: ca });

function secondsLeft({ execution, clock }: Task): number {
  const end = parseTime(execution.spec.timesOutAt);
  const left = end === undefined ? 0 : end - clock.now();
  return Math.ceil(Math.max(HOUR, left) / SECOND);
}

/** Asked for once. */
async function launch(api: AwxApi, step: Extract<AwxStep, { do: 'launch' }>, signal: AbortSignal): Promise<void> {
  const { template, extraVars, credentials } = step;
  const answer = await api.create(`${templatePath(template)}launch/`, { extra_vars: extraVars, credentials }, signal);
  const ignored = Object.keys(isObject(answer['ignored_fields']) ? answer['ignored_fields'] : {});
  const job = Number(answer['job'] ?? answer['id']);
  if (ignored.length === 0 || !Number.isInteger(job)) return;
  // The template was changed since it was read. A job that does not carry our mark could not be found again.
  await api.cancel(job, signal);
  throw new AwxError('Terminal', `AWX launched job ${job} but left out its ${ignored.join(' and ')}, so it was cancelled`);
}
