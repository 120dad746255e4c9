import type { MachineView } from '../../../../src/server/contract/index.ts';

/** What a health check says of a Machine. */
export const HEALTH: readonly MachineView['healthy'][] = ['True', 'False', 'Unknown'];

/** The filters of the grid as they stand in the address. */
export interface MachineSearch {
  readonly search?: string | undefined;
  readonly healthy?: MachineView['healthy'] | undefined;
  readonly check?: string | undefined;
}

export function machineFiltersIn({ search, healthy, check }: Readonly<Record<string, unknown>>): MachineSearch {
  const known = HEALTH.find((each) => each === String(healthy));
  return {
    ...(known && { healthy: known }),
    ...(typeof search === 'string' && search !== '' && { search: search.slice(0, 253) }),
    ...(typeof check === 'string' && check !== '' && { check: check.slice(0, 253) }),
  };
}
