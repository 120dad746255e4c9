import type { JsonSchema } from '../../kube/builtin/index.ts';

/** The parts of a CustomResourceDefinition's spec that the server acts on. */
export interface CrdSpec {
  readonly group: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly names: CrdNames;
  readonly versions: readonly CrdVersion[];
  readonly conversion?: { readonly strategy?: string };
  readonly preserveUnknownFields?: boolean;
}

export interface CrdNames {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: CrdScale };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly CrdColumn[];
}

/** The fields of a custom object that the scale subresource shows. */
export interface CrdScale {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One printer column. */
export interface CrdColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface CrdStatus {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly acceptedNames?: CrdNames;
  readonly storedVersions?: readonly string[];
}

/** The API's own finalizer: a CRD stays until its objects are gone. */
export const CRD_CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

/** A version's schema with the fields of every object, so that rules can use them and none is pruned. */
export function rootSchema(version: CrdVersion): JsonSchema {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const own = schema.properties?.metadata?.properties ?? {};
  const metadata: JsonSchema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { ...own, name: { type: 'string', ...own.name }, generateName: { type: 'string', ...own.generateName } },
  };
  return { ...schema, properties: { ...schema.properties, apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata } };
}
