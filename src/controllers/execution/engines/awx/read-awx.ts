import { ConfigMap, Secret, ServiceAccount } from '../../../../api/builtin/index.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { messageOf } from '../../../../base/index.ts';
import type { Read } from '../../../../kube/client/read.ts';
import type { Reader } from '../../../../runtime/reconcile/controller.ts';
import type { Settings } from '../../../settings.ts';
import { COMMON_ACCOUNT } from '../job/job-draft.ts';
import { AwxApi, jobPath, type AwxItem } from './client/awx-api.ts';
import type { AwxConnection } from './awx-connection.ts';
import { AwxError } from './client/awx-error.ts';
import { endingOf, isEphemeral } from './awx-names.ts';
import { jobOf } from './job/parse-awx-job.ts';
import { redact, secretTexts } from './job/redact.ts';
import { readTemplate } from './launch/read-template.ts';
import {
  isOver,
  type AwxJob,
  type AwxProgress,
  type AwxLeftovers,
  type AwxStart,
  type Dependency,
  type ObservedAwx,
} from './observed-awx.ts';
import { markName } from './launch/needed-credentials.ts';

export interface AwxLook {
  readonly object: WorkflowExecution;
  readonly reader: Reader;
  readonly settings: Settings;
  readonly door: AwxConnection;
}

/** Before the launch: everything in the cluster first, since nothing is made in AWX for a workflow that cannot be run. */
export const readBeforeLaunch = (look: AwxLook & { readonly plan: WorkflowExecution['spec'] }): Promise<ObservedAwx> =>
  answered(look, async (api): Promise<AwxStart> => {
    const { object, reader, settings, door, plan } = look;
    const { dependencies, engineConfig, serviceAccountName } = plan.workflowRef;
    const namespace = settings.executionNamespace;
    const secrets = await readAll(dependencies?.secrets, async (name) => keysOf(await reader.fetch(Secret, { namespace, name })));
    const configMaps = await readAll(dependencies?.configMaps, async (name) => dataOf(await reader.fetch(ConfigMap, { namespace, name })));
    const name = serviceAccountName ?? COMMON_ACCOUNT;
    const account = door.cluster && {
      name,
      isNamed: serviceAccountName !== undefined,
      read: await reader.fetch(ServiceAccount, { namespace, name }),
    };
    const template = await readTemplate(api, engineConfig?.['jobTemplateName'], settings.ansible.organizationID);
    const trouble = door.notes.of(object.metadata.uid, 'rest');
    const traces = await readTraces(api, object);
    return { kind: 'start', template, secrets, configMaps, ...traces, ...(account && { account }), ...(trouble && { trouble }) };
  });

/** A job in progress, and the names of the Secrets that it was given; undefined when that is no longer known. */
type ProgressLook = AwxLook & { readonly secrets: readonly string[] | undefined };

/** After the intent was recorded in status: the job by its id or, where none is recorded, by the mark that it carries. */
export const readLaunched = (look: ProgressLook): Promise<ObservedAwx> =>
  answered(look, async (api): Promise<AwxProgress> => {
    const { object, door } = look;
    const trouble = door.notes.of(object.metadata.uid, 'launch');
    const said = trouble && { trouble };
    const id = Number(object.status?.executionRef?.uid ?? Number.NaN);
    if (!Number.isInteger(id)) {
      // In this order: a job that is not found after the fence was seen gone will never be.
      const credentials = await readOwn(api, 'credentials', object);
      return { kind: 'progress', credentials, job: await jobByMark(api, object, credentials), ...said };
    }
    const job = await jobById(api, id);
    const output = job.kind === 'value' && isOver(job.value) && job.value.status !== 'successful' ? await readOutput(api, id, look) : '';
    return { kind: 'progress', credentials: [], job, ...(output === '' ? {} : { output }), ...said };
  });

/** After the end: what has to go. */
export const readLeftovers = (look: AwxLook): Promise<ObservedAwx> =>
  answered(look, async (api): Promise<AwxLeftovers> => {
    const { object } = look;
    const traces = await readTraces(api, object);
    const id = Number(object.status?.executionRef?.uid ?? Number.NaN);
    const job = Number.isInteger(id) ? await jobById(api, id) : await jobByMark(api, object, traces.credentials);
    const trouble = look.door.notes.of(object.metadata.uid, 'rest');
    return { kind: 'remains', ...traces, job, ...(trouble && { trouble }) };
  });

/** Asks AWX with the token of now. */
async function answered(look: AwxLook, ask: (api: AwxApi) => Promise<ObservedAwx>): Promise<ObservedAwx> {
  const { reader, settings, door } = look;
  const { apiURL } = settings.ansible;
  if (apiURL === undefined) return { kind: 'unreadable', reason: 'ansible.apiURL is not set in the configuration' };
  const token = tokenOf(await reader.fetch(Secret, tokenKey(settings)), settings);
  if (token.kind !== 'value') return { kind: 'unreadable', reason: token.kind === 'absent' ? noToken(settings) : token.reason };
  try {
    return await ask(new AwxApi(door.send, { apiURL, token: token.value }));
  } catch (error) {
    if (error instanceof AwxError) return { kind: 'unreadable', reason: messageOf(error) };
    throw error;
  }
}

/** Where the token is. */
export function tokenKey({ ansible, namespace }: Settings): { readonly namespace: string; readonly name: string } {
  return { namespace: ansible.tokenSecretRef.namespace || namespace, name: ansible.tokenSecretRef.name };
}

/** The token in its Secret, without the line break that files end with. */
export function tokenOf(secret: Read<Secret>, { ansible }: Settings): Read<string> {
  if (secret.kind !== 'value') return secret.kind === 'absent' ? secret : { ...secret, reason: `the token for AWX: ${secret.reason}` };
  const text = Buffer.from(secret.value.data?.[ansible.tokenSecretRef.key] ?? '', 'base64')
    .toString()
    .trim();
  return /^[\x21-\x7e]+$/.test(text) ? { kind: 'value', value: text } : { kind: 'absent' };
}

export const noToken = (settings: Settings): string => {
  const { namespace, name } = tokenKey(settings);
  return `Secret ${namespace}/${name} has no token for AWX under ${settings.ansible.tokenSecretRef.key} (ansible.tokenSecretRef)`;
};

async function readTraces(api: AwxApi, object: WorkflowExecution): Promise<Pick<AwxLeftovers, 'types' | 'credentials'>> {
  return { types: await readOwn(api, 'credential_types', object), credentials: await readOwn(api, 'credentials', object) };
}

/** What was created for this execution, whether or not it is recorded in status. */
async function readOwn(
  api: AwxApi,
  what: 'credentials' | 'credential_types',
  { metadata }: WorkflowExecution,
): Promise<readonly AwxItem[]> {
  const items = await api.list(`/api/v2/${what}/`, { name__endswith: endingOf(metadata.uid) });
  return items.filter(({ name }) => isEphemeral(name, metadata.uid));
}

async function jobById(api: AwxApi, id: number): Promise<Read<AwxJob>> {
  const fields = await api.find(jobPath(id));
  return fields ? { kind: 'value', value: jobOf(fields) } : { kind: 'absent' };
}

/** The first that was launched: a relaunch by hand in AWX is the operator's own. */
async function jobByMark(api: AwxApi, { metadata }: WorkflowExecution, credentials: readonly AwxItem[]): Promise<Read<AwxJob>> {
  const mark = credentials.find(({ name }) => name === markName(metadata));
  if (!mark) return { kind: 'absent' };
  const jobs = await api.list('/api/v2/jobs/', { credentials__id: String(mark.id), order_by: 'id' });
  const [first] = jobs.map(({ fields }) => jobOf(fields)).toSorted((a, b) => a.id - b.id);
  return first ? { kind: 'value', value: first } : { kind: 'absent' };
}

/** Without the Secrets there is no telling what of the output is one: then nothing of it is told. */
async function readOutput(api: AwxApi, id: number, { secrets: names, reader, settings }: ProgressLook): Promise<string> {
  const namespace = settings.executionNamespace;
  const secrets = await Promise.all((names ?? []).map((name) => reader.fetch(Secret, { namespace, name })));
  if (!names || secrets.some(({ kind }) => kind !== 'value')) return UNTOLD;
  const answer = await api.find(`${jobPath(id)}stdout/`, { format: 'json' }).catch(() => undefined);
  const content = answer?.['content'];
  return typeof content === 'string'
    ? redact(content, secretTexts(secrets.flatMap((one) => (one.kind === 'value' ? [one.value] : []))))
    : '';
}

const UNTOLD = 'its output is not shown, because the Secrets in it cannot be identified';

async function readAll<T>(
  named: readonly { readonly name: string }[] = [],
  read: (name: string) => Promise<Read<T>>,
): Promise<readonly Dependency<T>[]> {
  const names = [...new Set(named.map(({ name }) => name))];
  return Promise.all(names.map(async (name) => ({ name, read: await read(name) })));
}

const keysOf = (secret: Read<Secret>): Read<readonly string[]> =>
  secret.kind === 'value' ? { kind: 'value', value: Object.keys(secret.value.data ?? {}).toSorted() } : secret;

const dataOf = (configMap: Read<ConfigMap>): Read<Readonly<Record<string, string>>> =>
  configMap.kind === 'value' ? { kind: 'value', value: configMap.value.data ?? {} } : configMap;
