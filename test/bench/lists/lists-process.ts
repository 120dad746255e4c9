/** The HTTP API with many remediations, and beside it a server that sends the same bytes from memory. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aRequest } from '../../../src/controllers/remediation/testing/builders.ts';
import { ApiStage, SYSTEM } from '../../../src/server/testing/api-stage.ts';

/** What this process reports: its addresses first, then its CPU time whenever it is asked. */
export type ListsReport = { readonly ours: string; readonly plain: string } | { readonly cpuMs: number };

const MANY = Number(process.argv[2]);
/** As the console reads it. */
const FIRST_PAGE = '/api/v1/remediations?limit=200';

const stage = await new ApiStage().open();
for (let i = 0; i < MANY; i++) {
  const request = aRequest({ overallPhase: 'Analyzing' });
  await stage.put({ ...request, metadata: { ...request.metadata, namespace: SYSTEM, name: `rr-${i}` } });
}
const { text } = await stage.send(FIRST_PAGE);
const bytes = Buffer.from(text);
const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
const plain = createServer((_, response) => response.writeHead(200, headers).end(bytes)).listen(0, '127.0.0.1');
await new Promise((resolve) => plain.once('listening', resolve));

const tell = (report: ListsReport): void => void process.send!(report);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  tell({ cpuMs: (user + system) / 1_000 });
});
process.on('disconnect', () => process.exit(0));
tell({ ours: stage.url + FIRST_PAGE, plain: `http://127.0.0.1:${(plain.address() as AddressInfo).port}/` });
