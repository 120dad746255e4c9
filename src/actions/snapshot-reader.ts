import { EffectivenessAssessment } from '../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../api/meta.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { resourceName, type Resource } from '../api/resource.ts';
import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import { assessmentIndexes, executionIndexes, requestIndexes } from '../controllers/remediation/routing/index.ts';
import { ask, askList } from '../kube/client/read-live.ts';
import type { IndexQuery } from '../kube/cache/cache.ts';
import type { KubeClient } from '../kube/client/client.ts';
import type { Listed, Reader } from '../runtime/reconcile/controller.ts';

type Index = (object: never) => readonly string[];

/** What is listed, with the indexes of the controllers. */
const LISTED: readonly { readonly resource: Resource; readonly indexes: Readonly<Record<string, Index>> }[] = [
  { resource: RemediationRequest, indexes: requestIndexes },
  { resource: WorkflowExecution, indexes: executionIndexes },
  { resource: EffectivenessAssessment, indexes: assessmentIndexes },
];

const NOT_LISTED = { kind: 'unreadable', reason: 'not looked at' } as const;

/**
 * Reads a namespace once, as the user of the client, in place of a cache: for a single command. What may not be read is
 * unreadable; everything else can be read.
 */
export async function readSnapshot(client: KubeClient, namespace: string): Promise<Reader> {
  const read = await Promise.all(LISTED.map(({ resource }) => askList(client, resource, { namespace })));
  const lists = new Map(LISTED.map(({ resource, indexes }, i) => [resourceName(resource), { all: read[i] ?? NOT_LISTED, indexes }]));
  const list = <T extends KubeObject>(resource: Resource<T>, by?: IndexQuery): Listed<T> => {
    const { all, indexes } = lists.get(resourceName(resource)) ?? { all: NOT_LISTED, indexes: {} };
    return all.kind === 'unreadable' ? all : { kind: 'value', value: all.value.filter((object) => isUnder(object, indexes, by)) as never };
  };
  return {
    list,
    get(resource, { name }) {
      const all = list(resource);
      if (all.kind === 'unreadable') return all;
      const value = all.value.find(({ metadata }) => metadata.name === name);
      return value ? { kind: 'value', value } : { kind: 'absent' };
    },
    fetch: (resource, key) => ask(() => client.get(resource, key)),
    fetchList: (resource, options) => askList(client, resource, options),
  };
}

const isUnder = (object: KubeObject, indexes: Readonly<Record<string, Index>>, by: IndexQuery | undefined): boolean =>
  by === undefined || (indexes[by.index]?.(object as never).includes(by.value) ?? false);
