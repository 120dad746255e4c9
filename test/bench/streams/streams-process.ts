/** The HTTP API with remediations that change, and beside it the plainest way to send changes: each change to each client, as it comes. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RemediationRequest } from '../../../src/api/index.ts';
import { after, SECOND, steadyClock } from '../../../src/base/index.ts';
import { aRequest } from '../../../src/controllers/remediation/testing/builders.ts';
import { ApiStage, SYSTEM } from '../../../src/server/testing/api-stage.ts';
import { RemediationRows } from '../../../src/server/views/remediation-rows.ts';

/** What the parent asks for. */
export type StreamsOrder = { readonly changes: number; readonly objects: number; readonly overMs: number };

/** What this process reports. */
export type StreamsReport = { readonly ours: string; readonly plain: string } | { readonly cpuMs: number };

const REST_MS = SECOND;

const stage = await new ApiStage().open();
const rows = new RemediationRows(stage.stores);
const clients = new Set<ServerResponse>();
stage.stores.requests.onChange(({ object: { metadata } }) => {
  const { namespace = '', name } = metadata;
  // A row is read in the turn after its change, as the stores are then up to date.
  setImmediate(() => {
    const remediation = rows.get({ namespace, name })?.summary;
    for (const client of clients)
      client.write(`event: change\ndata: ${JSON.stringify({ topic: 'remediations', name, op: 'put', remediation })}\n\n`);
  });
});
const plain = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  clients.add(response);
  response.on('close', () => clients.delete(response));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => plain.once('listening', resolve));

const tell = (report: StreamsReport): void => void process.send!(report);
process.on('message', (order: StreamsOrder) => void change(order).then(tell));
process.on('disconnect', () => process.exit(0));
tell({ ours: `${stage.url}/api/v1/changes`, plain: `http://127.0.0.1:${(plain.address() as AddressInfo).port}` });

/** Changes objects evenly over a time, and says what that cost with everything that followed from it. */
async function change({ changes, objects, overMs }: StreamsOrder): Promise<StreamsReport> {
  for (let i = 0; i < objects; i++) await put(i);
  await rest();
  const before = process.cpuUsage();
  const begun = steadyClock.now();
  for (let i = 0; i < changes; i++) {
    await steadyClock.waitUntil(after(begun, (i * overMs) / changes), new AbortController().signal);
    const key = { namespace: SYSTEM, name: `rr-${i % objects}` };
    await stage.system.patchStatus(RemediationRequest, key, { type: 'merge', body: { status: { message: `change ${i}` } } });
  }
  await rest();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000 };
}

async function put(i: number): Promise<void> {
  const request = aRequest({ overallPhase: 'Analyzing' });
  const name = `rr-${i}`;
  if (!stage.stores.requests.get({ namespace: SYSTEM, name }))
    await stage.put({ ...request, metadata: { ...request.metadata, namespace: SYSTEM, name } });
}

const rest = (): Promise<void> => steadyClock.waitUntil(after(steadyClock.now(), REST_MS), new AbortController().signal);
