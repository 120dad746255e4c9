import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ClusterRole, ClusterRoleBinding, ServiceAccount } from '../src/api/builtin/index.ts';
import { ActionType } from '../src/api/action-type/action-type.ts';
import { keyOf, type Draft, type KubeObject } from '../src/api/meta.ts';
import { RemediationWorkflow } from '../src/api/remediation-workflow/remediation-workflow.ts';
import { apiVersionOf, type Resource } from '../src/api/resource.ts';
import { hasCode, PlatformError, sameJson } from '../src/base/index.ts';
import type { KubeClient } from '../src/kube/client/client.ts';

export interface LibraryOptions {
  /** Where the catalogue is. */
  readonly namespace: string;
  /** Where the workflows run. */
  readonly executionNamespace: string;
  /** Image to run instead of the one that the library names. */
  readonly image?: string;
}

/** One object of the library, and how it is addressed. */
export interface LibraryEntry<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>;
  readonly draft: Draft<T>;
}

const FOLDER = import.meta.dirname;
/** The one folder here that is no workflow. */
const FOR_TESTS = 'testing';
const KINDS: readonly Resource[] = [ActionType, RemediationWorkflow, ServiceAccount, ClusterRole, ClusterRoleBinding];

/** The members that an object of each kind is made of; the rest is the server's. */
const CONTENT = ['spec', 'rules', 'roleRef', 'subjects'] as const;

/** Every object of every `workflow.yaml`, made to fit the namespaces and the image. */
export async function readLibrary(options: LibraryOptions): Promise<readonly LibraryEntry[]> {
  const folders = (await readdir(FOLDER, { withFileTypes: true })).filter((entry) => entry.isDirectory() && entry.name !== FOR_TESTS);
  const entries: LibraryEntry[] = [];
  for (const { name: folder } of folders.toSorted(byName))
    entries.push(...(await readWorkflow(join(FOLDER, folder, 'workflow.yaml'), options)));
  return entries;
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number => (one.name < other.name ? -1 : 1);

async function readWorkflow(file: string, options: LibraryOptions): Promise<readonly LibraryEntry[]> {
  const documents = parseAllDocuments(await readFile(file, 'utf8'));
  return documents.map((document) => {
    const draft = document.toJS() as Draft;
    const resource = KINDS.find((kind) => kind.kind === draft.kind && apiVersionOf(kind) === draft.apiVersion);
    if (!resource) throw new PlatformError('Invalid', `${file}: no ${draft.kind} belongs into a workflow`, { retry: 'never' });
    return { resource, draft: fitted(draft, resource, options) };
  });
}

function fitted(draft: Draft, resource: Resource, { namespace, executionNamespace, image }: LibraryOptions): Draft {
  const home = resource === ServiceAccount ? executionNamespace : namespace;
  const placed = resource.namespaced ? { ...draft, metadata: { ...draft.metadata, namespace: home } } : draft;
  if (resource === ClusterRoleBinding) return boundTo(placed as Draft<ClusterRoleBinding>, executionNamespace);
  return resource === RemediationWorkflow && image !== undefined ? running(placed as Draft<RemediationWorkflow>, image) : placed;
}

const boundTo = (draft: Draft<ClusterRoleBinding>, namespace: string): Draft =>
  ({
    ...draft,
    subjects: (draft.subjects ?? []).map((subject) => ({ ...subject, namespace })),
  }) as Draft;

const running = (draft: Draft<RemediationWorkflow>, bundle: string): Draft =>
  ({
    ...draft,
    spec: { ...draft.spec, execution: { ...draft.spec.execution, bundle } },
  }) as Draft;

/** Installs the library: missing objects are created, different ones updated. Metadata of other owners stays. */
export async function installLibrary(client: KubeClient, options: LibraryOptions): Promise<void> {
  for (const entry of await readLibrary(options)) await install(client, entry);
}

async function install(client: KubeClient, { resource, draft }: LibraryEntry): Promise<void> {
  try {
    await client.create(resource, draft);
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
    await bringUpToDate(client, { resource, draft });
  }
}

async function bringUpToDate(client: KubeClient, { resource, draft }: LibraryEntry): Promise<void> {
  const found = await client.get(resource, keyOf(draft));
  const wanted = Object.fromEntries(CONTENT.filter((member) => member in draft).map((member) => [member, draft[member as keyof Draft]]));
  const current = Object.fromEntries(Object.keys(wanted).map((member) => [member, found[member as keyof KubeObject]]));
  if (!sameJson(wanted, current)) await client.update(resource, { ...found, ...wanted });
}
