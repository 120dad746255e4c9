import type { Kind } from '../kinds/kind.ts';
import { isReview } from '../reviews/review-kinds.ts';
import { scalePathsOf } from '../routes/scale-paths.ts';

/** What can be done with a resource, in a form that all discovery documents share. */
export interface ResourceEntry {
  readonly kind: Kind;
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceEntry[];
}

export interface SubresourceEntry {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind of its requests and answers where that is not the resource's own. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
/** In the order in which kube-apiserver lists them for CRDs. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;
const TERMINATING_VERBS = ['delete', 'deletecollection', 'get', 'list', 'watch'] as const;
const READ_WRITE = ['get', 'patch', 'update'] as const;
const TOKEN_REQUEST = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } as const;
const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' } as const;
const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

/** What discovery says about a kind and its subresources. */
export const resourceEntry = (kind: Kind): ResourceEntry => ({ kind, verbs: verbsOf(kind), subresources: subresourcesOf(kind) });

function verbsOf(kind: Kind): readonly string[] {
  if (kind.custom) return kind.terminating ? TERMINATING_VERBS : CUSTOM_VERBS;
  if (isReview(kind)) return ['create'];
  // Namespaces cannot be deleted as a collection.
  return kind.table === '/namespaces' ? VERBS.filter((verb) => verb !== 'deletecollection') : VERBS;
}

function subresourcesOf(kind: Kind): readonly SubresourceEntry[] {
  const found: SubresourceEntry[] = [];
  if (kind.table === '/pods') found.push({ name: 'eviction', verbs: ['create'], kind: EVICTION }, { name: 'log', verbs: ['get'] });
  if (kind.table === '/serviceaccounts') found.push({ name: 'token', verbs: ['create'], kind: TOKEN_REQUEST });
  if (scalePathsOf(kind)) found.push({ name: 'scale', verbs: READ_WRITE, kind: SCALE });
  if (kind.hasStatus) found.push({ name: 'status', verbs: READ_WRITE });
  return found;
}
