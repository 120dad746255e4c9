import { PlatformError } from '../../base/index.ts';
import type { ChainEnd } from './trail-row.ts';

/** How far a trail went at a time. Kept where those who can write the trail cannot, it shows that its end was cut or that it was rewritten. */
export interface Checkpoint extends ChainEnd {
  readonly at: string;
}

/** One line of a file of checkpoints. */
export const checkpointLine = ({ at, sequence, hash }: Checkpoint): string => JSON.stringify({ at, sequence, hash });

/** The checkpoints in the text of a file, one JSON object per line. */
export function checkpointsIn(text: string, path: string): readonly Checkpoint[] {
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [checkpointIn(line, `${path}, line ${index + 1}`)]));
}

function checkpointIn(line: string, place: string): Checkpoint {
  const { at, sequence, hash } = objectIn(line);
  if (typeof at !== 'string' || !Number.isSafeInteger(sequence) || Number(sequence) < 1 || !/^[0-9a-f]{64}$/.test(String(hash)))
    throw new PlatformError('Invalid', `${place}: it is no checkpoint, which is a JSON object with at, sequence and hash`, {
      retry: 'never',
    });
  return { at, sequence: Number(sequence), hash: String(hash) };
}

function objectIn(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
