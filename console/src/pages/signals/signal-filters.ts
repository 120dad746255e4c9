import type { Signal } from '../../../../src/server/contract/index.ts';

/** What can be decided about a signal. */
export const VERDICTS: readonly Signal['verdict'][] = [
  'created',
  'duplicate',
  'suppressed',
  'out-of-scope',
  'outdated',
  'resolved',
  'rejected',
  'put-off',
];

/** The filters of the list as they stand in the address. */
export interface SignalSearch {
  readonly verdict?: Signal['verdict'] | undefined;
  readonly search?: string | undefined;
}

export function signalFiltersIn({ verdict, search }: Readonly<Record<string, unknown>>): SignalSearch {
  const known = VERDICTS.find((each) => each === verdict);
  return { ...(known && { verdict: known }), ...(typeof search === 'string' && search !== '' && { search: search.slice(0, 253) }) };
}
