import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { serverClock } from '../clock.ts';
import { api } from './api.ts';

export type RemediationFilters = FiltersOf<typeof api.listRemediations>;

/** Rows that are read at once. */
export const PAGE_SIZE = 200;

type FiltersOf<Call extends (input: never) => unknown> = Omit<Parameters<Call>[0], 'limit' | 'cursor'>;
export type MachineFilters = FiltersOf<typeof api.listMachines>;
export type SignalFilters = FiltersOf<typeof api.listSignals>;
export type AuditFilters = FiltersOf<typeof api.listAudit>;
export type MachineKey = Parameters<typeof api.getMachine>[0];

interface Page {
  readonly next?: string;
}

/** A list that is read page by page. */
function pages<P extends Page, K extends readonly unknown[]>(
  queryKey: K,
  read: (page: { readonly limit: number; readonly cursor?: string }, options: { readonly signal: AbortSignal }) => Promise<P>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

/** What each page reads, one per route; the first part of a key is the topic whose changes make it old. */
export const queries = {
  session: () =>
    queryOptions({
      queryKey: ['session'],
      queryFn: async ({ signal }) => {
        const session = await api.getSession({}, { signal });
        serverClock.set(session.now);
        return session;
      },
      refetchInterval: 5 * 60_000,
    }),
  summary: () => queryOptions({ queryKey: ['summary'], queryFn: ({ signal }) => api.getSummary({}, { signal }), refetchInterval: 60_000 }),
  health: () => queryOptions({ queryKey: ['health'], queryFn: ({ signal }) => api.getHealth({}, { signal }), refetchInterval: 30_000 }),
  settings: () =>
    queryOptions({ queryKey: ['settings'], queryFn: ({ signal }) => api.getSettings({}, { signal }), refetchInterval: 30_000 }),

  remediations: (filters: RemediationFilters) =>
    pages(['remediations', 'list', filters], (page, options) => api.listRemediations({ ...filters, ...page }, options)),
  remediation: (name: string) =>
    queryOptions({ queryKey: ['remediations', 'one', name], queryFn: ({ signal }) => api.getRemediation({ name }, { signal }) }),
  logs: (name: string, isRunning: boolean) =>
    queryOptions({
      queryKey: ['logs', name],
      queryFn: ({ signal }) => api.getLogs({ name, lines: 500 }, { signal }),
      refetchInterval: isRunning ? 2000 : false,
    }),
  metrics: (name: string) =>
    queryOptions({ queryKey: ['metrics', name], queryFn: ({ signal }) => api.getMetrics({ name }, { signal }), staleTime: 60_000 }),
  objects: (name: string) => queryOptions({ queryKey: ['objects', name], queryFn: ({ signal }) => api.getObjects({ name }, { signal }) }),
  approvals: () =>
    queryOptions({ queryKey: ['approvals'], queryFn: ({ signal }) => api.listApprovals({ state: 'Pending', limit: 500 }, { signal }) }),
  machines: (filters: MachineFilters) =>
    pages(['machines', 'list', filters], (page, options) => api.listMachines({ ...filters, ...page }, options)),
  machine: (key: MachineKey) =>
    queryOptions({ queryKey: ['machines', 'one', key], queryFn: ({ signal }) => api.getMachine(key, { signal }) }),
  machineChecks: () => pages(['machine-checks'], (page, options) => api.listMachineChecks(page, options)),
  workflows: () =>
    queryOptions({ queryKey: ['workflows', 'list'], queryFn: ({ signal }) => api.listWorkflows({ limit: 500 }, { signal }) }),
  workflow: (name: string) =>
    queryOptions({ queryKey: ['workflows', 'one', name], queryFn: ({ signal }) => api.getWorkflow({ name }, { signal }) }),
  signals: (filters: SignalFilters) => pages(['signals', filters], (page, options) => api.listSignals({ ...filters, ...page }, options)),
  auditVerification: () =>
    queryOptions({
      queryKey: ['audit', 'verification'],
      queryFn: ({ signal }) => api.getAuditVerification({}, { signal }),
      refetchInterval: 60_000,
    }),
  audit: (filters: AuditFilters) => pages(['audit', filters], (page, options) => api.listAudit({ ...filters, ...page }, options)),
} as const;
