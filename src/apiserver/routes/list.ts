import type { ApiRequest } from '../../kube/client/transport.ts';
import { forbiddenField, notSupported, type FieldError } from '../field-error.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Stored } from '../object.ts';
import { keyIn, type ApiAnswer, type Server, type ApiTarget } from '../server.ts';
import { indexOfKey } from '../store/sorted-keys.ts';
import type { Table, TableView } from '../store/table.ts';
import { badRequest, expired, invalid, versionTooLarge } from '../status-errors.ts';
import { readContinueToken, writeContinueToken, type ContinueToken } from './continue-token.ts';
import { queryNumber } from './options.ts';
import { presenter } from './present.ts';
import { versionProblem } from './version-text.ts';
import { readSelectors, selecting, selection, type Query, type Selectors, type Selects } from './select.ts';

/** GET of many objects: filtered, in pages, all pages at one version. */
export function handleList(server: Server, target: ApiTarget, request: ApiRequest): ApiAnswer {
  const query = request.query ?? {};
  const limit = query.limit === undefined ? 0 : queryNumber(query.limit);
  const selectors = readSelectors(query);
  checkMatch(query);
  const selects = selecting(target.kind, selectors);
  const place = findPlace(server, target, query);
  const keys = keysIn(target, place, selectors);
  const { objects, last, left } = page(target.kind, { ...place, keys }, { selects, limit: limit > 0 ? limit : Infinity });
  const items = objects.map(presenter(request));
  // With a selector the number of remaining items is unknown.
  const isFiltered = selectors.labels.length + selectors.fields.length > 0;
  const counted = left > 0 && !isFiltered && { remainingItemCount: left };
  const more = left > 0 && { continue: writeContinueToken({ revision: place.revision, after: last }) };
  const metadata = Object.freeze({ resourceVersion: String(place.revision), ...more, ...counted });
  return { code: 200, body: Object.freeze({ ...listType(target, request), metadata, items: Object.freeze(items) }) };
}

interface Page {
  readonly objects: readonly Stored[];
  /** The last key that was checked. */
  readonly last: string;
  /** How many keys follow it. */
  readonly left: number;
}

/** A selection by name is a lookup. */
function keysIn({ kind, namespace }: ApiTarget, { view }: Place, { fields }: Selectors): readonly string[] {
  const named = fields.find(({ field, operator }) => field === 'metadata.name' && operator === '=');
  if (!named || (kind.namespaced && namespace === undefined)) return view.keys(namespace);
  const key = keyIn(namespace, named.value);
  return view.get(key) ? [key] : [];
}

function page(
  kind: Kind,
  { view, after, keys }: Place & { readonly keys: readonly string[] },
  { selects, limit }: { readonly selects: Selects; readonly limit: number },
): Page {
  const objects: Stored[] = [];
  let at = after === undefined ? 0 : indexOfKey(keys, `${after}\0`);
  for (; at < keys.length && objects.length < limit; at++) {
    const object = kind.read(view.get(keys[at]!)!);
    if (selects(object)) objects.push(object);
  }
  return { objects, last: keys[at - 1] ?? '', left: keys.length - at };
}

const listType = ({ kind }: ApiTarget, { accept }: ApiRequest): { readonly kind: string; readonly apiVersion: string } =>
  accept === 'metadata'
    ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' }
    : { kind: kind.listKind, apiVersion: kind.apiVersion };

interface Place {
  readonly view: TableView;
  readonly revision: number;
  /** The key after which to continue. */
  readonly after: string | undefined;
}

/** The version to read at, from continue, resourceVersion and resourceVersionMatch. */
function findPlace(server: Server, target: ApiTarget, query: Query): Place {
  const table = server.store.table(target.kind.table);
  if ((query.continue ?? '') !== '') return continued(server, table, query);
  const wanted = readVersion(query.resourceVersion);
  if (wanted > server.store.revision) throw versionTooLarge(wanted, server.store.revision);
  if (!isExact(query)) return { view: table, revision: server.store.revision, after: undefined };
  const view = table.at(wanted);
  if (!view) throw expired(`The resourceVersion for the provided list is too old.`);
  return { view, revision: wanted, after: undefined };
}

/** A limited list at a resourceVersion is exactly at that version, as before resourceVersionMatch existed. */
const isExact = ({ resourceVersionMatch = '', resourceVersion = '', limit = '0' }: Query): boolean =>
  resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && Number(limit) > 0 && Number(resourceVersion) > 0);

function continued(server: Server, table: Table, query: Query): Place {
  if ((query.resourceVersion ?? '') !== '' && query.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const token = readContinueToken(query.continue!);
  const revision = token.revision < 0 ? server.store.revision : token.revision;
  const view = table.at(revision);
  if (!view) throw outdated(token);
  return { view, revision, after: token.after };
}

const OUTDATED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

const outdated = ({ after }: ContinueToken): Error => expired(OUTDATED, { continue: writeContinueToken({ revision: -1, after }) });

function readVersion(text = ''): number {
  const why = versionProblem(text);
  if (why === undefined) return Number(text);
  throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}`);
}

function checkMatch({ resourceVersion = '', resourceVersionMatch = '', continue: token = '' }: Query): void {
  const errors = resourceVersionMatch === '' ? [] : matchErrors(resourceVersion, resourceVersionMatch, token);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

function matchErrors(version: string, match: string, token: string): readonly FieldError[] {
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (token !== '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  if (version === '') errors.push(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  if (match !== 'Exact' && match !== 'NotOlderThan') errors.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
  if (match === 'Exact' && version === '0')
    errors.push(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  return errors;
}

/** The objects that a query selects now, including writes that are not durable yet, for the deletion of a collection. */
export function selectedObjects(server: Server, { kind, namespace }: ApiTarget, query: Query): readonly Stored[] {
  const table = server.store.table(kind.table);
  return server.store
    .latestKeys(table, namespace)
    .flatMap((key) => server.store.latest(table, key) ?? [])
    .map((stored) => kind.read(stored))
    .filter(selection(kind, query));
}
