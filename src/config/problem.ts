import { PlatformError } from '../base/index.ts';

/** Where something stands in the file; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something that keeps a config file from being used, for a person to fix. */
export interface ConfigProblem {
  /** Undefined when it is about the file as a whole. */
  readonly at?: Position;
  readonly key?: string;
  /** Names the key, its value and what is allowed. */
  readonly message: string;
}

/**
 * A problem in one line, where editors and people look for it.
 * @example 'config.yaml:4:3: dryRun is "yes": wants true or false'
 */
export const problemLine = (file: string, { at, message }: ConfigProblem): string =>
  at ? `${file}:${at.line}:${at.column}: ${message}` : `${file}: ${message}`;

/** All problems of a file in one message. */
export function problemText(file: string, problems: readonly ConfigProblem[]): string {
  const lines = problems.map((problem) => problemLine(file, problem));
  return lines.length === 1 ? (lines[0] ?? '') : [`${file} has ${lines.length} problems:`, ...lines].join('\n  ');
}

/** The error that stands for a file that cannot be used. */
export const configError = (file: string, problems: readonly ConfigProblem[]): PlatformError =>
  new PlatformError('Invalid', problemText(file, problems), { retry: 'never' });
