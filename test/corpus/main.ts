/**
 * npm run corpus: states of clusters with an alert each, and what the analysis makes of them: right, handed over or wrong.
 * Usage: npm run corpus -- [--only TEXT] [--verbose]
 * npm run corpus -- record [--only NAME,…] [--at-once N]: records the faults on the cluster that SICKBAY_TEST_KUBECONFIG names.
 */
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/index.ts';
import { corpusCases } from './cases.ts';
import { report } from './report.ts';
import { runCase, shippedWorkflows, type CaseResult } from './run-case.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '4' },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function judgeAll(): Promise<boolean> {
  const library = await shippedWorkflows();
  const results: CaseResult[] = [];
  for (const one of corpusCases()) if (one.name.includes(values.only ?? '')) results.push(await runCase(one, library));
  for (const line of report(results, values.verbose)) print(line);
  return results.every(({ verdict }) => verdict !== 'wrong');
}

async function main(): Promise<boolean> {
  if (positionals[0] !== 'record') return judgeAll();
  const { recordAll } = await import('./record-all.ts');
  return recordAll({ only: values.only?.split(','), atOnce: Number(values['at-once']), print });
}

main().then(
  (isWell) => (process.exitCode = isWell ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`corpus: ${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
