import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError, followChanges, type StreamEvent } from '../../../src/client/index.ts';
import type { ChangeEvent, RemediationList, RemediationSummary } from '../../../src/server/contract/index.ts';
import { pause, serverClock, throttled } from '../clock.ts';
import { api, tokenOfTab } from './api.ts';
import { PAGE_SIZE, type RemediationFilters } from './queries.ts';

/** Whether the page shows what happens now. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'refused';

/** The server says something at least this often. */
const SILENCE_MS = 45_000;
const RETRY_MS = 2000;

const REMEDIATION_LISTS = ['remediations', 'list'] as const;
type ListKey = readonly ['remediations', 'list', RemediationFilters];

/**
 * Follows the changes of the server and keeps what is shown up to date: rows that are known are replaced in place, everything else that a
 * change makes old is read again, at most once a second.
 */
export class LiveChanges {
  readonly #queries: QueryClient;
  readonly #old = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #refresh: () => void;
  #state: LiveState = 'connecting';
  #stopped = new AbortController();
  #lastEventId: string | undefined;
  #heardAt = 0;

  constructor(queries: QueryClient) {
    this.#queries = queries;
    this.#refresh = throttled(1000, () => {
      const topics = [...this.#old];
      this.#old.clear();
      for (const topic of topics) void readAgain(queries, topic);
    });
  }

  get state(): LiveState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows until `stop`. */
  start(): void {
    this.#stopped = new AbortController();
    void this.#run(this.#stopped.signal);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const attempt = new AbortController();
      stopped.addEventListener('abort', () => attempt.abort());
      this.#heardAt = serverClock.now();
      void this.#watchSilence(attempt);
      try {
        for await (const event of followChanges({
          signal: attempt.signal,
          token: tokenOfTab.read,
          lastEventId: this.#lastEventId,
          onBytes: () => (this.#heardAt = serverClock.now()),
        }))
          this.#take(event);
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
          this.#set('refused');
          void this.#queries.invalidateQueries({ queryKey: ['session'] });
          return;
        }
      }
      attempt.abort();
      if (stopped.aborted) return;
      this.#set('lost');
      await pause(RETRY_MS, stopped);
    }
  }

  /** Ends an attempt from which nothing is heard any more. */
  async #watchSilence(attempt: AbortController): Promise<void> {
    while (!attempt.signal.aborted) {
      await pause(5000, attempt.signal);
      if (serverClock.now() - this.#heardAt > SILENCE_MS) attempt.abort();
    }
  }

  #take(event: StreamEvent): void {
    const wasLost = this.#state === 'lost';
    this.#set('live');
    this.#lastEventId = event.id;
    if (event.type === 'change') this.#apply(event.change);
    else if (event.type === 'reset' || wasLost) void this.#queries.invalidateQueries();
  }

  #apply(change: ChangeEvent): void {
    const { topic, name, remediation } = change;
    if (topic === 'remediations') {
      this.#queries.setQueriesData<InfiniteData<RemediationList>>(
        { queryKey: REMEDIATION_LISTS },
        (data) => data && (remediation ? withRow(data, remediation) : withoutRow(data, name)),
      );
      for (const key of [
        ['remediations', 'one', name],
        ['metrics', name],
        ['objects', name],
      ])
        void this.#queries.invalidateQueries({ queryKey: key });
    }
    this.#old.add(topic);
    if (topic === 'remediations' || topic === 'approvals') this.#old.add('summary').add('approvals');
    this.#refresh();
  }

  #set(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Reads again what a topic made old. Of a long list only the first page is read again: rows further down are kept up to date in place. */
async function readAgain(queries: QueryClient, topic: string): Promise<void> {
  if (topic !== 'remediations') return queries.invalidateQueries({ queryKey: [topic] });
  for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: REMEDIATION_LISTS, type: 'active' })) {
    const data = queries.getQueryData<InfiniteData<RemediationList>>(queryKey);
    if (!data || data.pages.length === 1) await queries.invalidateQueries({ queryKey });
    else await readHeadAgain(queries, queryKey as ListKey);
  }
}

async function readHeadAgain(queries: QueryClient, queryKey: ListKey): Promise<void> {
  const head = await api.listRemediations({ ...queryKey[2], limit: PAGE_SIZE });
  queries.setQueryData<InfiniteData<RemediationList>>(queryKey, (data) => data && withHead(data, head));
}

/** The list with a new first page; rows that moved up to it are not shown twice. */
function withHead(data: InfiniteData<RemediationList>, head: RemediationList): InfiniteData<RemediationList> {
  const names = new Set(head.items.map(({ name }) => name));
  const [, ...rest] = data.pages;
  const shown = rest.map((page) => ({ ...page, total: head.total, items: page.items.filter(({ name }) => !names.has(name)) }));
  const dropped = (data.pages[0]?.items ?? []).filter(({ name }) => !names.has(name));
  const [second, ...others] = shown;
  return second ? { ...data, pages: [head, { ...second, items: [...dropped, ...second.items] }, ...others] } : data;
}

/** The lists without a row that is gone. */
const withoutRow = (data: InfiniteData<RemediationList>, gone: string): InfiniteData<RemediationList> => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ name }) => name !== gone) })),
});

/** The lists with this row as it is now, where they have it. */
function withRow(data: InfiniteData<RemediationList>, row: RemediationSummary): InfiniteData<RemediationList> {
  const page = data.pages.findIndex(({ items }) => items.some(({ name }) => name === row.name));
  const found = data.pages[page];
  if (!found) return data;
  const items = found.items.map((item) => (item.name === row.name ? row : item));
  return { ...data, pages: data.pages.with(page, { ...found, items }) };
}

export const useLiveState = (live: LiveChanges): LiveState => useSyncExternalStore(live.subscribe, () => live.state);
