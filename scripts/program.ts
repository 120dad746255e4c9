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

/** Runs a program of ours or of a dependency under this same Node, on this terminal; resolves to its exit code. */
export const runProgram = (path: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<number> =>
  runChild(process.execPath, [path, ...args], { cwd: root, env: { ...process.env, ...env } });
