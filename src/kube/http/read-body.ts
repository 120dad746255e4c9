import type { IncomingMessage } from 'node:http';
import { PlatformError } from '../../base/index.ts';

/**
 * The whole body of a request; undefined when it is larger than the limit. What is above the limit is let through to nowhere, so that
 * the sender lives to read the answer.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limitBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new PlatformError('Unavailable', 'the sender hung up in the middle of a request'));
    });
  });
}
