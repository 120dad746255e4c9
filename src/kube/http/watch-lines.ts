import { isObject, messageOf, PlatformError } from '../../base/index.ts';
import type { WatchLine } from '../client/transport.ts';

const NEWLINE = 0x0a;
/** Far above any object the API stores (1.5 MB): a server that never ends a line must not fill our memory. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
const TYPES: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'];

/** Cuts a byte stream into watch lines. Cuts are made at newline bytes only, so no character is ever split. */
export class WatchLines {
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  /** The lines that this chunk completes, in order. */
  push(chunk: Buffer): readonly WatchLine[] {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#keep(chunk);
      return [];
    }
    const complete = chunk.subarray(0, end);
    const text = this.#pending.length === 0 ? complete.toString() : Buffer.concat([...this.#pending, complete]).toString();
    this.#pending = [];
    this.#pendingBytes = 0;
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1));
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parseLine);
  }

  /** Bytes of a line that has not ended: after the stream's end they are a truncated line. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  #keep(rest: Buffer): void {
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    if (this.#pendingBytes > LONGEST_LINE_BYTES) throw malformed(`a line is longer than ${LONGEST_LINE_BYTES} bytes`);
  }
}

function parseLine(line: string): WatchLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw malformed(`${messageOf(error)} in ${JSON.stringify(line.slice(0, 200))}`);
  }
  if (!isObject(value) || !TYPES.includes(value['type'] as string) || !isObject(value['object'])) {
    throw malformed(`no watch line: ${JSON.stringify(line.slice(0, 200))}`);
  }
  return value as unknown as WatchLine;
}

/** Internal, not Unavailable: resuming at the same place would meet the same line, so the reader has to list again. */
const malformed = (what: string): PlatformError => new PlatformError('Internal', `reading a watch: ${what}`);
