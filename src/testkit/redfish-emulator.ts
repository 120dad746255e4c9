/**
 * The Redfish emulator of sushy-tools on a free loopback port, with hosts that exist only in it and take some seconds to switch, as hosts do. It
 * asks for a password; its folder goes away with it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { PlatformError, SECOND } from '../base/index.ts';
import { freePorts } from './free-ports.ts';
import { eventually } from './monitoring-servers.ts';
import { startServer, type ServerProcess } from './server-process.ts';

export interface RedfishEmulator {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Ids of its hosts; all are on at first. */
  readonly systems: readonly string[];
  stop(): Promise<void>;
}

/** Opens nothing but emulators. */
const USER = { username: 'admin', password: 'opens-nothing-real' };
const HTPASSWD = '$2b$04$/vMfwpOXFUJo2Sv0hn0VTOnVDJmHB.ZsLTV5kJO5IurqmRyRKxUfe';

const READY_WITHIN_MS = 30 * SECOND;

/** Starts one with so many hosts and resolves once it answers. */
export async function startRedfishEmulator(program: string, hosts: number): Promise<RedfishEmulator> {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-redfish-'));
  const [port = 0] = await freePorts(1);
  const systems = Array.from({ length: hosts }, (_, i) => `27946b59-9e44-4fa7-8e91-${String(i).padStart(12, '0')}`);
  writeFileSync(join(folder, 'htpasswd'), `${USER.username}:${HTPASSWD}\n`);
  writeFileSync(join(folder, 'emulator.conf'), configOf(folder, systems));
  const args = ['--fake', '--config', join(folder, 'emulator.conf'), '-i', '127.0.0.1', '-p', String(port)];
  const server = startServer(program, args, join(folder, 'emulator.log'));
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await isReady(url, server);
    return { url, ...USER, systems, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** It is read as Python, of which JSON texts are a part. */
const configOf = (folder: string, systems: readonly string[]): string =>
  [
    `SUSHY_EMULATOR_STATE_DIR = ${JSON.stringify(folder)}`,
    `SUSHY_EMULATOR_AUTH_FILE = ${JSON.stringify(join(folder, 'htpasswd'))}`,
    `SUSHY_EMULATOR_FAKE_SYSTEMS = ${JSON.stringify(systems.map((uuid, i) => ({ uuid, name: `host-${i}`, power_state: 'On', nics: [] })))}`,
    '',
  ].join('\n');

async function isReady(url: string, server: ServerProcess): Promise<void> {
  await eventually(`${server.name} to be ready`, READY_WITHIN_MS, async () => {
    if (server.ended()) throw new PlatformError('Unavailable', `${server.name} ended: ${server.lastWords()}`);
    const answer = await request(`${url}/redfish/v1/`).catch(() => undefined);
    await answer?.body.dump();
    return answer?.statusCode === 200 ? true : undefined;
  });
}
