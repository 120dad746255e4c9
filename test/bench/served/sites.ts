import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RemediationRequest } from '../../../src/api/index.ts';
import { installKind } from '../../../src/testkit/try-bad-value.ts';
import { bearer } from '../../../src/kube/http/http-config.ts';
import { httpTransport } from '../../../src/kube/http/http-transport.ts';
import { startChild, type Child } from '../../served/child.ts';
import type { Site } from './load.ts';

const TOKEN = 'bench';

/** A server to be measured, alone in its process. */
export interface ServedSite extends Site, Pick<Child, 'loopDelay'> {
  stop(): Promise<void>;
}

/** Our server on a state file of its own, with the kind that is written installed. */
export async function startOurs(synchronous: 'FULL' | 'NORMAL'): Promise<ServedSite> {
  const site = await start(new URL('../../served/sickbay.ts', import.meta.url), (folder) => ({
    path: join(folder, 'state.db'),
    synchronous,
    token: TOKEN,
  }));
  await install(site);
  return site;
}

/** The bare path. */
export const startBare = (synchronous: 'FULL' | 'NORMAL'): Promise<ServedSite> =>
  start(new URL('./bare.ts', import.meta.url), (folder) => ({ folder, synchronous }));

/** Starts a program with a folder that goes away with it. */
async function start(program: URL, optionsFor: (folder: string) => object): Promise<ServedSite> {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-bench-'));
  const child = await startChild(program, optionsFor(folder));
  const stop = async (): Promise<void> => {
    await child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: child.url, token: TOKEN, loopDelay: () => child.loopDelay(), stop };
}

/** Installs the kind that is written and waits until it is served. */
export async function install({ url, token, ca }: Site): Promise<void> {
  const transport = httpTransport({ server: url, identity: bearer(token), ...(ca !== undefined && { ca }) });
  await installKind(transport, RemediationRequest);
  await transport.close();
}
