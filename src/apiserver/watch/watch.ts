import { after, SECOND } from '../../base/index.ts';
import type { ApiError } from '../../kube/client/errors.ts';
import type { ApiRequest, WatchLine, WatchStream } from '../../kube/client/transport.ts';
import { forbiddenField, notSupported } from '../field-error.ts';
import type { Stored } from '../object.ts';
import { queryNumber } from '../routes/options.ts';
import { watchPresenter } from './watch-presenter.ts';
import { selection, type Query } from '../routes/select.ts';
import { versionProblem } from '../routes/version-text.ts';
import type { Server, ApiTarget } from '../server.ts';
import type { Table } from '../store/table.ts';
import { expired, invalid, unclassified } from '../status-errors.ts';
import { bookmark, lineFor, type Interest } from './watch-lines.ts';
import { WatchQueue } from './watch-queue.ts';

/** Open streams, so that they can be ended when their CRD is deleted or the server closes. */
export type OpenWatches = Set<{ readonly table: string; end(): void }>;

/** Starts a watch: the initial state where requested, then every change, in order, once. */
export function watch(
  server: Server,
  { target, open }: { readonly target: ApiTarget; readonly open: OpenWatches },
  request: ApiRequest,
  signal: AbortSignal,
): WatchStream {
  const { kind, name } = target;
  const query = request.query ?? {};
  const start = readStart(query);
  const selects = selection(kind, query);
  const only = name === undefined ? selects : (object: Stored) => object.metadata.name === name && selects(object);
  const interest: Interest = { kind, namespace: target.namespace, selects: only, present: watchPresenter(server, kind, request) };
  const table = server.store.table(kind.table);
  const over = new AbortController();
  const queue = new WatchQueue({ limit: server.watchBacklog, limitBytes: server.watchBacklogBytes, onEnd: () => over.abort() });
  const stream = { table: kind.table, end: () => queue.end() };
  const push = (line: WatchLine | undefined): void => {
    if (line) queue.begin(line);
  };
  if (begin(server, { interest, table, start, push })) {
    const stop = table.subscribe((change) => {
      const line = lineFor(interest, change);
      // A line holds one of the two objects.
      if (line) queue.push(line, server.store.sizeOf(change.after ? { before: undefined, after: change.after } : change));
    });
    open.add(stream);
    over.signal.addEventListener('abort', () => [stop(), open.delete(stream)], { once: true });
    keepTime(server, { query, interest, queue, over: over.signal });
  } else queue.end();
  if (signal.aborted) queue.end();
  else signal.addEventListener('abort', () => queue.end(), { once: true });
  return { code: 200, lines: queue };
}

interface Start {
  /** Undefined to start with the current state. */
  readonly revision: number | undefined;
  /** Whether a bookmark ends the initial state. */
  readonly marksEnd: boolean;
}

function readStart(query: Query): Start {
  const { resourceVersion = '' } = query;
  const why = versionProblem(resourceVersion);
  if (why !== undefined) throw unclassified(why);
  if (query.sendInitialEvents !== undefined) return listFirst(query);
  if ((query.resourceVersionMatch ?? '') !== '')
    throw refused('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided', query.resourceVersionMatch);
  const isFresh = resourceVersion === '' || resourceVersion === '0';
  return { revision: isFresh ? undefined : Number(resourceVersion), marksEnd: false };
}

/** A watch with `sendInitialEvents`. */
function listFirst({ sendInitialEvents, resourceVersion, resourceVersionMatch, allowWatchBookmarks }: Query): Start {
  if (resourceVersionMatch !== 'NotOlderThan')
    throw refused('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan', resourceVersionMatch);
  // As kube-apiserver reads it: true unless it is `false` or `0`.
  if (sendInitialEvents === 'false' || sendInitialEvents === '0') return { revision: Number(resourceVersion), marksEnd: false };
  return { revision: undefined, marksEnd: allowWatchBookmarks === 'true' };
}

const refused = (why: string, match = ''): ApiError =>
  invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
    forbiddenField('resourceVersionMatch', why),
    ...(match === '' || match === 'NotOlderThan' ? [] : [notSupported('resourceVersionMatch', match, ['NotOlderThan'])]),
  ]);

interface Begin {
  readonly interest: Interest;
  readonly table: Table;
  readonly start: Start;
  readonly push: (line: WatchLine | undefined) => void;
}

/** Sends the initial state or the changes so far; false when the watch cannot resume from its version. */
function begin(server: Server, { interest, table, start, push }: Begin): boolean {
  if (start.revision === undefined) {
    for (const object of initialState(interest, table)) push({ type: 'ADDED', object });
    if (start.marksEnd) push(bookmark(interest.kind, server.store.revision, true));
    return true;
  }
  const missed = table.since(start.revision);
  if (!missed) {
    const { status } = expired(`too old resource version: ${start.revision} (${table.floor})`);
    push({ type: 'ERROR', object: status as unknown as Stored });
    return false;
  }
  for (const change of missed) push(lineFor(interest, change));
  return true;
}

function initialState({ kind, namespace, selects, present }: Interest, table: Table): readonly Stored[] {
  return table
    .keys(namespace)
    .map((key) => kind.read(table.get(key)!))
    .filter(selects)
    .map(present);
}

interface Timed {
  readonly query: Query;
  readonly interest: Interest;
  readonly queue: WatchQueue;
  readonly over: AbortSignal;
}

/** Ends the watch at its timeout, and sends bookmarks until then; both only where requested. */
function keepTime(server: Server, { query, interest, queue, over }: Timed): void {
  const seconds = query.timeoutSeconds === undefined ? 0 : queryNumber(query.timeoutSeconds);
  const { clock } = server;
  if (seconds > 0) clock.waitUntil(after(clock.now(), seconds * SECOND), over).then(() => queue.end(), ignoreEnd);
  if (query.allowWatchBookmarks === 'true' && server.bookmarkEveryMs > 0) sendBookmarks(server, { interest, queue, over }).catch(ignoreEnd);
}

/** The end of the watch aborts the wait, which is no failure. */
const ignoreEnd = (): void => {};

async function sendBookmarks(server: Server, { interest, queue, over }: Omit<Timed, 'query'>): Promise<void> {
  const { clock, store, bookmarkEveryMs } = server;
  while (!over.aborted) {
    await clock.waitUntil(after(clock.now(), bookmarkEveryMs), over);
    queue.push(bookmark(interest.kind, store.revision, false));
  }
}
