import type { StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { runChild } from './launch/child.mjs';

/** The root of the project. */
export const root = resolve(import.meta.dirname, '..');

/** Programs that come with our dependencies, as files that Node runs. */
export const programs = {
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  stryker: 'node_modules/@stryker-mutator/core/bin/stryker.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const;

/** How a program is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A file for everything it prints; this terminal when absent. */
  readonly output?: string;
  /** Lets other processes run first. */
  readonly isBackground?: boolean;
}

/** Runs a program of ours or of a dependency under this same Node; resolves to its exit code. */
export async function runProgram(
  path: string,
  args: readonly string[] = [],
  { env, output, isBackground = false }: RunOptions = {},
): Promise<number> {
  const file = output === undefined ? undefined : openSync(output, 'w');
  try {
    const stdio = file === undefined ? 'inherit' : (['ignore', file, file] as const);
    const options = { cwd: root, env: { ...process.env, ...env }, stdio: stdio as StdioOptions, isBackground };
    return await runChild(process.execPath, [path, ...args], options);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
