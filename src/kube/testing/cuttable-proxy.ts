import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy whose connections can be cut. TLS goes through it untouched. */
export interface CuttableProxy {
  readonly port: number;
  /** Resets every connection that is open, both ways; returns how many. */
  cut(): number;
  close(): Promise<void>;
}

/** Starts a proxy to a port on this machine, at any free port unless one is named. */
export async function cuttableProxy(targetPort: number, ownPort = 0): Promise<CuttableProxy> {
  const open = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    const pair = [client, target] as const;
    open.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => (open.delete(pair), client.destroy(), target.destroy()));
    }
    client.pipe(target);
    target.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve));
  const cut = (): number => {
    const pairs = [...open];
    for (const [client, target] of pairs) void (client.resetAndDestroy(), target.resetAndDestroy());
    return pairs.length;
  };
  const close = (): Promise<void> => {
    cut();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { port: (server.address() as AddressInfo).port, cut, close };
}
