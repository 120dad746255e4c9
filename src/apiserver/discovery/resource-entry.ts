import type { Kind } from '../kinds/kind.ts';
import { isReview } from '../reviews/review-kinds.ts';
import { scalePathsOf } from '../routes/scale-paths.ts';

/** What can be done with a resource, whatever the form in which clients are told. */
export interface ResourceEntry {
  readonly kind: Kind;
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceEntry[];
}

export interface SubresourceEntry {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind that it takes and answers with where that is another than the resource's own. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
/** In the order that kube-apiserver tells them for CRDs. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'] as const;
const TERMINATING_VERBS = ['delete', 'deletecollection', 'get', 'list', 'watch'] as const;
const READ_WRITE = ['get', 'patch', 'update'] as const;
const TOKEN_REQUEST = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } as const;
const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' } as const;
const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

/** Everything that a client may want to know before it uses a kind. */
export const resourceEntry = (kind: Kind): ResourceEntry => ({ kind, verbs: verbsOf(kind), subresources: subresourcesOf(kind) });

function verbsOf(kind: Kind): readonly string[] {
  if (kind.custom) return kind.terminating ? TERMINATING_VERBS : CUSTOM_VERBS;
  if (isReview(kind)) return ['create'];
  // Namespaces go one by one.
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
