import { ConfigMap, Secret, ServiceAccount } from '../../../api/builtin/index.ts';
import type { Draft, KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Read } from '../../../kube/client/read.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { COMMON_ACCOUNT } from '../engines/job/job-draft.ts';
import type { PlanFault } from './fault.ts';

type Spec = WorkflowExecution['spec'];

/** Something that must be there before a workflow can run: what it says it reads, and the account that it runs as. */
export interface Dependency {
  readonly kind: 'Secret' | 'ConfigMap' | 'ServiceAccount';
  readonly name: string;
}

/** One that was looked for. That it is there is all that is kept of it. */
export interface SeenDependency extends Dependency {
  readonly read: Read<true>;
}

export type DependencyVerdict =
  { readonly kind: 'Ready' } | { readonly kind: 'Wait'; readonly reason: string } | { readonly kind: 'Fault'; readonly fault: PlanFault };

/** What the workflow says it reads, each once, Secrets first, and then its account. */
export function dependenciesOf({ workflowRef }: Pick<Spec, 'workflowRef'>): readonly Dependency[] {
  const { dependencies, serviceAccountName = COMMON_ACCOUNT } = workflowRef;
  const named = (kind: Dependency['kind'], list: readonly { readonly name: string }[] = []): readonly Dependency[] =>
    [...new Set(list.map(({ name }) => name))].map((name) => ({ kind, name }));
  return [
    ...named('Secret', dependencies?.secrets),
    ...named('ConfigMap', dependencies?.configMaps),
    { kind: 'ServiceAccount', name: serviceAccountName },
  ];
}

const OBJECT_NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** What no object can be called is nowhere, and is not even asked for. */
export function badName(spec: Pick<Spec, 'workflowRef'>): PlanFault | undefined {
  const bad = dependenciesOf(spec).find(({ name }) => !OBJECT_NAME.test(name));
  return (
    bad && {
      message: `the workflow depends on ${bad.kind} ${JSON.stringify(bad.name)}, and no ${bad.kind} can have that name`,
      advice: 'Correct the dependencies of the RemediationWorkflow.',
    }
  );
}

const RESOURCES: Readonly<Record<Dependency['kind'], Resource<KubeObject>>> = { Secret, ConfigMap, ServiceAccount };

/** From live reads, in the execution namespace and nowhere else; only metadata is read. */
export function readDependencies(
  reader: Pick<Reader, 'fetch'>,
  namespace: string,
  wanted: readonly Dependency[],
): Promise<readonly SeenDependency[]> {
  return Promise.all(
    wanted.map(async ({ kind, name }) => {
      const read: Read<KubeObject> = await reader.fetch(RESOURCES[kind], { namespace, name }, { metadataOnly: true });
      return { kind, name, read: read.kind === 'value' ? { kind: 'value', value: true } : read };
    }),
  );
}

const isCommon = ({ kind, name }: Dependency): boolean => kind === 'ServiceAccount' && name === COMMON_ACCOUNT;

/** The common account, where it has to be made before the run. */
export function accountToMake(seen: readonly SeenDependency[], namespace: string): Draft<ServiceAccount> | undefined {
  const isMissing = seen.some((one) => isCommon(one) && one.read.kind === 'absent');
  return isMissing ? commonAccount(namespace) : undefined;
}

/** Without any binding: all its permissions are granted by the operator. */
export const commonAccount = (namespace: string): Draft<ServiceAccount> => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: COMMON_ACCOUNT, namespace },
});

/** What is missing goes before what cannot be read: waiting does not bring it. */
export function judgeDependencies(seen: readonly SeenDependency[], namespace: string): DependencyVerdict {
  const missing = seen.filter((one) => one.read.kind === 'absent' && !isCommon(one));
  if (missing.length > 0) return { kind: 'Fault', fault: absent(missing, namespace) };
  for (const { kind, name, read } of seen)
    if (read.kind === 'unreadable') return { kind: 'Wait', reason: `${kind} ${namespace}/${name} cannot be read: ${read.reason}` };
  return { kind: 'Ready' };
}

function absent(missing: readonly Dependency[], namespace: string): PlanFault {
  const list = missing.map(({ kind, name }) => `${kind} ${namespace}/${name}`).join(', ');
  return {
    message: `the workflow depends on ${list}, which ${missing.length === 1 ? 'does' : 'do'} not exist`,
    advice: `Create ${missing.length === 1 ? 'it' : 'them'} in namespace ${namespace}, where workflows run; one of that name elsewhere does not count.`,
  };
}
