import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/** Free loopback ports. All are held until the last is known, so they differ from each other. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold));
  const ports = held.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(held.map(release));
  return ports;
}

function hold(): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server)));
}

const release = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
