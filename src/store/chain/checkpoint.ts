import type { ChainEnd } from './trail-row.ts';

/** How far a trail went at a time. Kept where those who can write the trail cannot, it shows that its end was cut or that it was rewritten. */
export interface Checkpoint extends ChainEnd {
  readonly at: string;
}

/** One line of a file of checkpoints. */
export const checkpointLine = ({ at, sequence, hash }: Checkpoint): string => JSON.stringify({ at, sequence, hash });

/** What a file of checkpoints says. */
export interface KeptCheckpoints {
  readonly checkpoints: readonly Checkpoint[];
  /** What is wrong with the other lines. One that was written to a full disk, for example, is of no use, and takes nothing from the others. */
  readonly problems: readonly string[];
}

/** The checkpoints in the text of a file, one JSON object per line. */
export function checkpointsIn(text: string, path: string): KeptCheckpoints {
  const lines = text.split('\n').map((line, index) => ({ line, place: `${path}, line ${index + 1}` }));
  const read = lines.filter(({ line }) => line.trim() !== '').map(({ line, place }) => checkpointIn(line) ?? `${place}: ${NO_CHECKPOINT}`);
  return {
    checkpoints: read.filter((found) => typeof found !== 'string'),
    problems: read.filter((found) => typeof found === 'string'),
  };
}

const NO_CHECKPOINT = 'it is no checkpoint, which is a JSON object with at, sequence and hash';

function checkpointIn(line: string): Checkpoint | undefined {
  const { at, sequence, hash } = objectIn(line);
  if (typeof at !== 'string' || !Number.isSafeInteger(sequence) || Number(sequence) < 1 || !/^[0-9a-f]{64}$/.test(String(hash)))
    return undefined;
  return { at, sequence: Number(sequence), hash: String(hash) };
}

function objectIn(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
