/** Each important lint rule gets a snippet that it must reject, under the project's own configuration. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Case {
  readonly reason: string;
  readonly path: string;
  readonly text: string;
  /** The rule that must reject the snippet; undefined where no rule may. */
  readonly rule: string | undefined;
}

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);
const AWAITED = 'export const run = async (): Promise<void> => {};\n';

const cases: readonly Case[] = [
  { reason: 'a file of 601 lines', path: 'src/kube/long.ts', text: lines(601, ''), rule: 'eslint(max-lines)' },
  {
    reason: 'a function of 61 lines',
    path: 'src/kube/a.ts',
    text: `export function f(): void {\n${lines(60, '')}}\n`,
    rule: 'eslint(max-lines-per-function)',
  },
  { reason: 'a long describe()', path: 'src/kube/a.test.ts', text: `export function f(): void {\n${lines(60, '')}}\n`, rule: undefined },
  {
    reason: 'four levels deep',
    path: 'src/kube/b.ts',
    text: 'export function f(a: boolean): void {\n  if (a) { while (a) { for (;;) { if (a) f(a); } } }\n}\n',
    rule: 'eslint(max-depth)',
  },
  {
    reason: 'eleven ways through',
    path: 'src/kube/c.ts',
    text: `export function f(a: number): number {\n${Array.from({ length: 10 }, (_, i) => `  if (a === ${i}) return ${i};`).join('\n')}\n  return a;\n}\n`,
    rule: 'eslint(complexity)',
  },
  {
    reason: 'five parameters',
    path: 'src/kube/d.ts',
    text: 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1): 1[] => [a, b, c, d, e];\n',
    rule: 'eslint(max-params)',
  },
  { reason: 'a default export', path: 'src/kube/e.ts', text: 'export default 1;\n', rule: 'import(no-default-export)' },
  { reason: 'a configuration file', path: 'vitest.config.ts', text: 'export default 1;\n', rule: undefined },
  { reason: 'a CamelCase file', path: 'src/kube/BadName.ts', text: 'export const a = 1;\n', rule: 'unicorn(filename-case)' },
  { reason: 'any', path: 'src/kube/f.ts', text: 'export const f = (a: any): void => void a;\n', rule: 'typescript(no-explicit-any)' },
  {
    reason: 'any from elsewhere',
    path: 'src/kube/g.ts',
    text: "export const f = (): string => JSON.parse('1');\n",
    rule: 'typescript(no-unsafe-return)',
  },
  {
    reason: 'a silenced type error',
    path: 'src/kube/h.ts',
    text: '// @ts-ignore\nexport const a: string = 1;\n',
    rule: 'typescript(ban-ts-comment)',
  },
  { reason: 'a forgotten promise', path: 'src/kube/i.ts', text: `${AWAITED}run();\n`, rule: 'typescript(no-floating-promises)' },
  {
    reason: 'a promise as a condition',
    path: 'src/kube/j.ts',
    text: `${AWAITED}export const f = (): number => (run() ? 1 : 2);\n`,
    rule: 'typescript(no-misused-promises)',
  },
  { reason: 'output from a library room', path: 'src/kube/k.ts', text: "console.log('a');\n", rule: 'eslint(no-console)' },
  { reason: 'output of a command', path: 'src/cli/k.ts', text: "console.log('a');\n", rule: undefined },
  {
    reason: 'a focused test',
    path: 'src/kube/l.test.ts',
    text: "import { test } from 'vitest';\ntest.only('a', () => {});\n",
    rule: 'vitest(no-focused-tests)',
  },
  { reason: 'the wall clock', path: 'src/kube/m.ts', text: 'export const a = Date.now();\n', rule: 'eslint(no-restricted-globals)' },
  {
    reason: 'the wall clock, in a test',
    path: 'src/kube/m.test.ts',
    text: 'export const a = new Date();\n',
    rule: 'eslint(no-restricted-globals)',
  },
  {
    reason: 'the wall clock, in a script',
    path: 'scripts/m.ts',
    text: 'export const a = new Date();\n',
    rule: 'eslint(no-restricted-globals)',
  },
  {
    reason: 'the wall clock through globalThis or new',
    path: 'src/kube/n.ts',
    text: 'export const a = globalThis.Date.now();\n',
    rule: 'eslint(no-restricted-globals)',
  },
  { reason: 'a timer', path: 'src/kube/o.ts', text: 'setTimeout(() => {}, 1);\n', rule: 'eslint(no-restricted-globals)' },
  { reason: 'a repeating timer', path: 'src/kube/p.ts', text: 'setInterval(() => {}, 1);\n', rule: 'eslint(no-restricted-globals)' },
  { reason: 'an immediate', path: 'src/kube/q.ts', text: 'setImmediate(() => {});\n', rule: 'eslint(no-restricted-globals)' },
  {
    reason: 'a timer as a promise',
    path: 'src/kube/r.ts',
    text: "export * from 'node:timers/promises';\n",
    rule: 'eslint(no-restricted-imports)',
  },
  {
    reason: 'a timer in a signal',
    path: 'src/kube/s.ts',
    text: 'export const a = AbortSignal.timeout(1);\n',
    rule: 'eslint(no-restricted-properties)',
  },
  {
    reason: 'the high-resolution clock',
    path: 'src/kube/t.ts',
    text: 'export const a = performance.now();\n',
    rule: 'eslint(no-restricted-globals)',
  },
  { reason: 'chance', path: 'src/kube/u.ts', text: 'export const a = Math.random();\n', rule: 'eslint(no-restricted-properties)' },
  {
    reason: 'a random UUID',
    path: 'src/kube/v.ts',
    text: 'export const a = crypto.randomUUID();\n',
    rule: 'eslint(no-restricted-properties)',
  },
  {
    reason: 'an imported random UUID',
    path: 'src/kube/w.ts',
    text: "import { randomUUID } from 'node:crypto';\nexport const a = randomUUID();\n",
    rule: 'eslint(no-restricted-imports)',
  },
  {
    reason: 'the same by its old name',
    path: 'src/kube/x.ts',
    text: "export { randomUUID } from 'crypto';\n",
    rule: 'eslint(no-restricted-imports)',
  },
  { reason: 'another part of node:crypto', path: 'src/kube/y.ts', text: "export { createHash } from 'node:crypto';\n", rule: undefined },
  { reason: 'the wall clock where it belongs', path: 'src/base/clock.ts', text: 'export const a = Date.now();\n', rule: undefined },
  { reason: 'chance where it belongs', path: 'src/base/random.ts', text: 'export const a = Math.random();\n', rule: undefined },
  { reason: 'a benchmark measures time', path: 'test/bench/main.ts', text: 'export const a = performance.now();\n', rule: undefined },
  {
    reason: 'elsewhere in base',
    path: 'src/base/errors.ts',
    text: 'export const a = Date.now();\n',
    rule: 'eslint(no-restricted-globals)',
  },
];

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'sickbay-lint-'));

/** One linter run for all snippets: starting the type-aware linter takes longer than linting them. */
async function lint(): Promise<readonly Diagnostic[]> {
  for (const file of ['.oxlintrc.json', 'tsconfig.json']) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { path, text } of cases) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const program = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'];
  // Finding something is an exit code of 1, which execFile reports as an error that still carries the output.
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: folder }).catch((error: { stdout: string }) => error);
  return (JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] }).diagnostics;
}

describe('the linter', () => {
  let diagnostics: readonly Diagnostic[] = [];
  beforeAll(async () => {
    diagnostics = await lint();
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(cases)('$path: $reason → $rule', ({ path, rule }) => {
    const rules = diagnostics.filter((diagnostic) => diagnostic.filename === path).map((diagnostic) => diagnostic.code);
    if (rule === undefined) expect(rules).toEqual([]);
    else expect(rules).toContain(rule);
  });
});
