import type { TemplateReference } from '../../../api/machine-health-check/normalise.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { Draft, KubeObject, ObjectMeta } from '../../../api/meta.ts';
import { CLUSTER_API } from '../../../api/parts/group.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { isObject, type JsonObject } from '../../../base/index.ts';
import { clusterNameOf } from '../targets/cluster-of-machine.ts';

/** A template of any group: only the place of the request in its spec is known. */
export interface RemediationTemplate extends KubeObject {
  readonly spec?: { readonly template?: JsonObject };
}

const SUFFIX = 'Template';

/** The resource of the template. Cluster API's contract: the plural is that of the kind, in lower case. */
export const templateResource = (reference: TemplateReference): Resource<RemediationTemplate> =>
  resourceOf(reference.apiVersion, reference.kind);

/** The resource of the requests; undefined where the template's kind does not end in Template. */
export const requestResource = ({ apiVersion, kind }: TemplateReference): Resource | undefined =>
  kind.endsWith(SUFFIX) && kind.length > SUFFIX.length ? resourceOf(apiVersion, kind.slice(0, -SUFFIX.length)) : undefined;

/** The resource of a kind of which only the name is known. */
export function resourceOf<T extends KubeObject>(apiVersion: string, kind: string): Resource<T> {
  const slash = apiVersion.indexOf('/');
  return {
    group: apiVersion.slice(0, Math.max(slash, 0)),
    version: apiVersion.slice(slash + 1),
    kind,
    plural: pluralOf(kind.toLowerCase()),
    namespaced: true,
  };
}

/** The English plural: remediation, policy, fix. */
export const pluralOf = (noun: string): string => {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
};

/** The request for one Machine: the template's content, with the Machine's name and owned by it. */
export function requestDraft(template: RemediationTemplate, reference: TemplateReference, machine: Machine): Draft {
  const { spec, metadata } = template.spec?.template ?? {};
  const given = isObject(metadata) ? (metadata as Partial<ObjectMeta>) : {};
  const { name, namespace = '', uid } = machine.metadata;
  const group = reference.apiVersion.slice(0, reference.apiVersion.indexOf('/'));
  return {
    apiVersion: reference.apiVersion,
    kind: reference.kind.slice(0, -SUFFIX.length),
    metadata: {
      name,
      namespace,
      labels: { ...given.labels, ...(clusterNameOf(machine) !== '' && { [LABELS.clusterName]: clusterNameOf(machine) }) },
      annotations: {
        ...given.annotations,
        [ANNOTATIONS.clonedFromName]: template.metadata.name,
        [ANNOTATIONS.clonedFromGroupKind]: `${reference.kind}.${group}`,
      },
      ownerReferences: [{ apiVersion: `${CLUSTER_API}/v1beta2`, kind: 'Machine', name, uid }],
    },
    ...(spec !== undefined && { spec }),
  } as Draft;
}
