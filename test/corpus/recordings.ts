import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { Recording } from './recording.ts';

const FOLDER = join(import.meta.dirname, 'recorded');

const pathOf = (name: string): string => join(FOLDER, `${name}.json.br`);

/** What was recorded of a fault; undefined where nothing was. */
export function readRecording(name: string): Recording | undefined {
  if (!existsSync(pathOf(name))) return undefined;
  return JSON.parse(brotliDecompressSync(readFileSync(pathOf(name))).toString('utf8')) as Recording;
}

/** Writes what was recorded of a fault, and says how many bytes that takes. */
export function writeRecording(name: string, recording: Recording): number {
  mkdirSync(FOLDER, { recursive: true });
  // Unlike gzip, it looks back over all snapshots, which are much alike.
  const packed = brotliCompressSync(JSON.stringify(recording));
  writeFileSync(pathOf(name), packed);
  return packed.length;
}
