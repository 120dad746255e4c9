import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that sends raw bytes, for requests that no proper client would send. */
export interface RawClient {
  readonly socket: Socket;
  /** All that arrived until the server closed its side. */
  ended(): Promise<string>;
}

/** Connects to a server, sends bytes, and reads the answer unless it is to wait. */
export async function rawClient(url: string, text: string, { paused = false } = {}): Promise<RawClient> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  // A connection that is reset has ended as well.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  const over = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', () => resolve());
  });
  if (!paused) socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  return {
    socket,
    async ended() {
      if (paused) socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      await over;
      socket.destroy();
      return Buffer.concat(chunks).toString();
    },
  };
}
