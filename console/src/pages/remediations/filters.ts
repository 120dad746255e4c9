import type { RemediationFilters } from '../../data/queries.ts';

/** The filters of the list as they stand in the address. */
export interface ListSearch {
  readonly state?: 'active' | 'attention' | 'finished';
  readonly search?: string;
  readonly severity?: string;
  readonly outcome?: string;
  readonly sort?: NonNullable<RemediationFilters['sort']>;
}

const STATES = ['active', 'attention', 'finished'] as const;
const SORTS = ['created', '-created', 'severity', '-severity', 'phase', '-phase', 'target', '-target', 'signal', '-signal'] as const;

/** Reads the filters from an address. What it does not know counts as absent: an old link still shows a list. */
export function filtersIn(search: Readonly<Record<string, unknown>>): ListSearch {
  const state = STATES.find((known) => known === search['state']);
  const sort = SORTS.find((known) => known === search['sort']);
  const text = textIn(search['search']);
  const severity = textIn(search['severity']);
  const outcome = textIn(search['outcome']);
  return {
    ...(state && { state }),
    ...(sort && { sort }),
    ...(text !== undefined && { search: text }),
    ...(severity !== undefined && { severity }),
    ...(outcome !== undefined && { outcome }),
  };
}

/** Numbers and booleans are read as such from an address. */
function textIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return String(value) === '' ? undefined : String(value).slice(0, 253);
}
