/** All checks that need no test run. Arguments select steps; when a step fails the later ones still run. */
import { programs, runProgram } from './program.ts';

const steps: Readonly<Record<string, () => Promise<number>>> = {
  types: async () => (await runProgram(programs.tsc, ['-p', '.'])) || (await runProgram(programs.tsc, ['-p', 'console'])),
  lint: () => runProgram(programs.oxlint),
  conventions: () => runProgram('scripts/check-conventions.ts'),
  format: () => runProgram(programs.prettier, ['--check', '--log-level=warn', '.']),
  generated: () => runProgram('scripts/generate.ts', ['--check']),
};

const selected = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(steps);
for (const name of selected) {
  const step = steps[name];
  const passed = step !== undefined && (await step()) === 0;
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${name}`);
  if (!passed) process.exitCode = 1;
}
