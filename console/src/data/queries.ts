import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { serverClock } from '../clock.ts';
import { api } from './api.ts';

export type RemediationFilters = Omit<Parameters<typeof api.listRemediations>[0], 'limit' | 'cursor'>;

/** Rows that are read at once. */
export const PAGE_SIZE = 200;

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
    infiniteQueryOptions({
      queryKey: ['remediations', 'list', filters],
      queryFn: ({ pageParam, signal }) =>
        api.listRemediations({ ...filters, limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next,
    }),
  remediation: (name: string) =>
    queryOptions({ queryKey: ['remediations', 'one', name], queryFn: ({ signal }) => api.getRemediation({ name }, { signal }) }),
  logs: (name: string, isRunning: boolean) =>
    queryOptions({
      queryKey: ['logs', name],
      queryFn: ({ signal }) => api.getLogs({ name, lines: 500 }, { signal }),
      refetchInterval: isRunning ? 2000 : false,
    }),
  approvals: () =>
    queryOptions({ queryKey: ['approvals'], queryFn: ({ signal }) => api.listApprovals({ state: 'Pending', limit: 500 }, { signal }) }),
  signalsOf: (remediation: string) =>
    queryOptions({
      queryKey: ['signals', 'of', remediation],
      queryFn: ({ signal }) => api.listSignals({ remediation, limit: 20 }, { signal }),
    }),
  workflows: () => queryOptions({ queryKey: ['workflows'], queryFn: ({ signal }) => api.listWorkflows({ limit: 500 }, { signal }) }),
} as const;
