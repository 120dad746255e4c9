import { isObject, ownMember } from '../../base/index.ts';
import { matchesFields, matchesLabels, parseFieldSelector, parseLabelSelector, SelectorError } from '../../kube/selectors/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Stored } from '../object.ts';
import { badRequest } from '../status-errors.ts';

export type Selects = (object: Stored) => boolean;

export type Query = Readonly<Record<string, string>>;

const ALL: Selects = () => true;

export interface Selectors {
  readonly labels: ReturnType<typeof parseLabelSelector>;
  readonly fields: ReturnType<typeof parseFieldSelector>;
}

/** The selectors of a query; throws 400 for those that cannot be read. */
export function readSelectors({ labelSelector = '', fieldSelector = '' }: Query): Selectors {
  try {
    return { labels: parseLabelSelector(labelSelector), fields: parseFieldSelector(fieldSelector).filter(saysSomething) };
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

const saysSomething = ({ field, value }: Selectors['fields'][number]): boolean => field !== '' || value !== '';

/** The objects that selectors match; throws 400 for fields that are not selectable. */
export const selecting = (kind: Kind, { labels, fields }: Selectors): Selects => both(byLabels(labels), byFields(kind, fields));

/** The objects that labelSelector and fieldSelector of a query match. */
export const selection = (kind: Kind, query: Query): Selects => selecting(kind, readSelectors(query));

function both(first: Selects, second: Selects): Selects {
  if (first === ALL) return second;
  return second === ALL ? first : (object) => first(object) && second(object);
}

function byLabels(requirements: Selectors['labels']): Selects {
  return requirements.length === 0 ? ALL : (object) => matchesLabels(requirements, object.metadata.labels);
}

function byFields(kind: Kind, requirements: Selectors['fields']): Selects {
  if (requirements.length === 0) return ALL;
  for (const { field } of requirements) {
    const known = field === 'metadata.name' || (field === 'metadata.namespace' && kind.namespaced) || kind.selectable.has(field);
    if (!known) throw badRequest(`field label not supported: ${field}`);
  }
  return (object) => matchesFields(requirements, (field) => valueAt(object, kind.selectable.get(field) ?? field.split('.'), field));
}

/** Fields that count as false where they are absent. */
const BOOLEANS: ReadonlySet<string> = new Set(['spec.unschedulable', 'spec.hostNetwork']);

function valueAt(object: Stored, path: readonly string[], field: string): string {
  let at: unknown = object;
  for (const name of path) at = isObject(at) ? ownMember(at, name) : undefined;
  if (at === undefined || at === null) return BOOLEANS.has(field) ? 'false' : '';
  return typeof at === 'object' ? '' : String(at as string | number | boolean);
}
