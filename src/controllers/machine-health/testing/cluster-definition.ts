import { Cluster, type CustomResourceDefinition } from '../../../api/builtin/index.ts';
import type { Draft } from '../../../api/meta.ts';
import { resourceName } from '../../../api/resource.ts';

/** As much of Cluster API's definition of a Cluster as a server needs to keep one. */
export const clusterDefinition: Draft<CustomResourceDefinition> = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: resourceName(Cluster) },
  spec: {
    group: Cluster.group,
    scope: 'Namespaced',
    names: { kind: Cluster.kind, plural: Cluster.plural },
    versions: [
      {
        name: Cluster.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
