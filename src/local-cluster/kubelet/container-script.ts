import { parseDuration, SECOND } from '../../base/index.ts';

/** What a command does: runs for a while, then exits; without a duration it runs for ever. */
export interface Script {
  readonly durationMs: number | undefined;
  readonly exitCode: number;
  /** The kernel ends it, because it takes more memory than its limit. */
  readonly isOutOfMemory?: true;
}

interface Step {
  readonly durationMs: number | undefined;
  readonly exitCode: number;
  /** Nothing after it is reached. */
  readonly ends: boolean;
  /** How much memory it holds while it runs. */
  readonly memoryBytes?: number;
}

/** So long it takes a container to fill its memory. */
const FILLING_MS = SECOND;
const KILLED = 137;

/**
 * Reads a command made of `sleep N`, `exit N`, `echo …` and `head -c N /dev/zero | tail | sleep N` (which holds N bytes), plain or behind `sh -c` and then
 * joined by `;` or `&&`, and `true` or `false` alone. Undefined for any other.
 */
export function readScript(words: readonly string[], memoryLimit = Infinity): Script | undefined {
  const [shell = '', option, text, ...rest] = words;
  const isShell = /(^|\/)(sh|bash|ash)$/.test(shell) && option === '-c' && text !== undefined && rest.length === 0;
  const lines = (isShell ? text.split(/;|&&|\n/) : [words.join(' ')]).map((line) => line.trim()).filter((line) => line !== '');
  const steps = lines.map((line) => readStep(line, isShell)).filter((step) => step !== undefined);
  return steps.length > 0 && steps.length === lines.length ? runThrough(steps, memoryLimit) : readTrivial(lines);
}

function readStep(line: string, isShell: boolean): Step | undefined {
  const [, name, argument] = /^(?:exec\s+)?(?:\S*\/)?(sleep|exit)(?:\s+(\S+))?$/.exec(line) ?? [];
  if (name === 'sleep') return readSleep(argument);
  if (name === undefined) return readEcho(line) ?? (isShell ? readMemory(line) : undefined);
  return /^\d{1,3}$/.test(argument ?? '0') ? { durationMs: 0, exitCode: Number(argument ?? '0'), ends: true } : undefined;
}

function readSleep(argument = ''): Step | undefined {
  if (/^inf(inity)?$/.test(argument)) return { durationMs: undefined, exitCode: 0, ends: true };
  const durationMs = /^\d+(\.\d+)?$/.test(argument) ? Number(argument) * SECOND : parseDuration(argument);
  return durationMs === undefined || durationMs < 0 ? undefined : { durationMs, exitCode: 0, ends: false };
}

/** Only where nothing of it is a command of its own. */
const readEcho = (line: string): Step | undefined =>
  /^(?:\S*\/)?echo(?:\s[^|&`<>$]*)?$/.test(line) ? { durationMs: 0, exitCode: 0, ends: false } : undefined;

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** `tail` keeps what has no end of line: a way to hold memory that any image with a shell knows. */
function readMemory(line: string): Step | undefined {
  const [, amount, unit = '', pause] = /^head -c (\d{1,9})([kmg]?) \/dev\/zero \| tail(?: \| sleep (\S+))?$/.exec(line) ?? [];
  if (amount === undefined) return undefined;
  const rest = pause === undefined ? { durationMs: 0, exitCode: 0, ends: false } : readSleep(pause);
  return rest && { ...rest, memoryBytes: Number(amount) * (UNITS[unit] ?? 1) };
}

function runThrough(steps: readonly Step[], memoryLimit: number): Script {
  const last = steps.findIndex(({ ends, memoryBytes = 0 }) => ends || memoryBytes > memoryLimit);
  const reached = last < 0 ? steps : steps.slice(0, last + 1);
  const end = reached.at(-1);
  if ((end?.memoryBytes ?? 0) > memoryLimit)
    return { durationMs: sumOf(reached.slice(0, -1)) + FILLING_MS, exitCode: KILLED, isOutOfMemory: true };
  const isEndless = reached.some(({ durationMs }) => durationMs === undefined);
  return { durationMs: isEndless ? undefined : sumOf(reached), exitCode: end?.exitCode ?? 0 };
}

const sumOf = (steps: readonly Step[]): number => steps.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);

/** `/bin/true` and `/bin/false`. */
function readTrivial(lines: readonly string[]): Script | undefined {
  const [, name] = /^(?:\S*\/)?(true|false)$/.exec(lines.length === 1 ? (lines[0] ?? '') : '') ?? [];
  return name === undefined ? undefined : { durationMs: 0, exitCode: name === 'true' ? 0 : 1 };
}
