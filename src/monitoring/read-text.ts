import { PlatformError } from '../base/index.ts';

/** The whole body of an answer; refuses one that is larger than the limit. */
export async function textOf(body: AsyncIterable<Buffer>, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > mostBytes)
      throw new PlatformError('Unsupported', `the answer is larger than ${mostBytes / 1024 / 1024} MB`, { retry: 'never' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
