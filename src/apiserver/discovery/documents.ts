import { deepFreeze, lazy } from '../../base/index.ts';
import type { AnswerForm, ApiResponse } from '../../kube/client/transport.ts';
import type { Kind } from '../kinds/kind.ts';
import { openApiDocuments } from '../openapi/index.ts';
import { groupDiscoveryList } from './aggregated.ts';
import { groupsOf, type Group, type GroupVersion } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './resource-lists.ts';
import { serverVersion } from './server-version.ts';

/** What is served now, a counter of its changes, and whether writes are possible. */
export interface Served {
  readonly changes: number;
  readonly isReadOnly: boolean;
  served(): Iterable<Kind>;
}

/** An answer that is the same for all clients that request the same form. */
type Document = (form: AnswerForm | undefined) => ApiResponse;

type Pages = ReadonlyMap<string, Document>;

/** The documents about the server itself: discovery, OpenAPI, version and health. */
export class Documents {
  readonly #kinds: Served;
  readonly #build: string | undefined;
  #pages: Pages = new Map();
  #madeAt = -1;

  constructor(kinds: Served, build?: string) {
    this.#kinds = kinds;
    this.#build = build;
  }

  /** The document at a path; undefined where there is none. */
  at(path: string): Document | undefined {
    if (this.#madeAt !== this.#kinds.changes) {
      this.#pages = pagesOf(groupsOf(this.#kinds.served()), healthOf(this.#kinds), this.#build);
      this.#madeAt = this.#kinds.changes;
    }
    return this.#pages.get(path) ?? (path.endsWith('/') ? this.#pages.get(path.slice(0, -1)) : undefined);
  }
}

function pagesOf(groups: readonly Group[], health: Document, build: string | undefined): Pages {
  const core = groups.filter(({ name }) => name === '');
  const named = groups.filter(({ name }) => name !== '');
  const pages = new Map<string, Document>([
    ['/version', json(() => serverVersion(build))],
    ...['/healthz', '/livez', '/readyz'].map((path) => [path, health] as const),
    ['/api', negotiated(core, () => apiVersions(core.flatMap(({ versions }) => versions)))],
    ['/apis', negotiated(named, () => apiGroupList(named))],
    ...named.map((group) => [`/apis/${group.name}`, json(() => apiGroup(group))] as const),
    ...groups.flatMap(({ versions }) => versions.map((version) => [rootOf(version), json(() => apiResourceList(version))] as const)),
    ...openApiDocuments(groups.flatMap(({ versions }) => versions)).map(([path, make]) => [path, json(make)] as const),
  ]);
  return pages.set(
    '',
    json(() => ({ paths: [...pages.keys()].filter((path) => path !== '').toSorted() })),
  );
}

const rootOf = ({ group, version }: GroupVersion): string => (group === '' ? `/api/${version}` : `/apis/${group}/${version}`);

function json(make: () => object): Document {
  const answer = lazy((): ApiResponse => ({ code: 200, body: deepFreeze(make()) }));
  return () => answer();
}

/** The aggregated document, for clients that accept it. */
function negotiated(groups: readonly Group[], make: () => object): Document {
  const [plain, v2, v2beta1] = [json(make), aggregated(groups, 'v2'), aggregated(groups, 'v2beta1')];
  return (form) => (form === 'discovery/v2' ? v2(form) : form === 'discovery/v2beta1' ? v2beta1(form) : plain(form));
}

function aggregated(groups: readonly Group[], form: 'v2' | 'v2beta1'): Document {
  const document = json(() => groupDiscoveryList(groups, form));
  return () => ({ ...document(undefined), mediaType: `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList` });
}

const TEXT = 'text/plain; charset=utf-8';

/** Health in the form of kube-apiserver, with its check of the storage. */
const healthOf =
  (kinds: Served): Document =>
  () =>
    kinds.isReadOnly ? { code: 500, body: '[-]etcd failed: reason withheld\nhealthz check failed\n', mediaType: TEXT } : HEALTHY;

const HEALTHY: ApiResponse = { code: 200, body: 'ok', mediaType: TEXT };
