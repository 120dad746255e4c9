/**
 * Prometheus and Alertmanager in one process of their own, so that what they cost is not counted: every metric halves at the moment that the
 * starter names, and nothing fires. They count their queries, and report the counts on request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Counted, Told } from './counting-server.ts';

const count = { queries: 0, alerts: 0, changedAt: 0 };
const distinct = new Set<string>();

const tell = (told: Told): void => void process.send?.(told);

function series(url: URL): readonly (readonly [number, string])[] {
  const [from, to, step] = ['start', 'end', 'step'].map((name) => Number(url.searchParams.get(name))) as [number, number, number];
  const values: (readonly [number, string])[] = [];
  for (let at = from; at <= to; at += step) values.push([at, at * 1_000 < count.changedAt ? '100' : '50']);
  return values;
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://server');
  response.setHeader('content-type', 'application/json');
  if (url.pathname === '/api/v2/alerts') {
    count.alerts++;
    return void response.end('[]');
  }
  count.queries++;
  distinct.add(request.url ?? '');
  const data = { resultType: 'matrix', result: [{ metric: {}, values: series(url) }] };
  response.end(JSON.stringify({ status: 'success', data }));
});

server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));

process.on('message', (asked: { readonly changedAt: number }) => {
  const { queries, alerts } = count;
  const counted: Counted = { queries, distinct: distinct.size, alerts };
  Object.assign(count, { queries: 0, alerts: 0, changedAt: asked.changedAt });
  distinct.clear();
  tell({ counted });
});

// With the process that started it.
process.on('disconnect', () => {
  server.closeAllConnections();
  server.close();
});
