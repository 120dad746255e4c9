import type { CaseResult, Round } from './run-case.ts';
import { isExpected, type Verdict } from './judge.ts';

const VERDICTS: readonly Verdict[] = ['right', 'handed over', 'wrong'];

/** A line per case, then the figures. */
export function report(results: readonly CaseResult[], isVerbose: boolean): readonly string[] {
  const misleading = results.filter((one) => one.case.misleading !== undefined);
  const plain = results.filter((one) => one.case.misleading === undefined);
  return [
    ...results.flatMap((one) => caseLines(one, isVerbose)),
    '',
    ...(['recorded', 'changed', 'written'] as const).map((origin) =>
      figures(
        origin,
        results.filter((one) => one.case.origin === origin),
      ),
    ),
    `${figures('misleading', misleading)}; ${misleading.filter(isVague).length} of them handed over without the cause`,
    figures('not misleading', plain),
    figures('all', results),
  ];
}

const isVague = (result: CaseResult): boolean => {
  const last = result.rounds.at(-1);
  return result.verdict === 'right' && last !== undefined && !isExpected(result.case, last.said);
};

function caseLines({ case: { name, misleading }, verdict, rounds }: CaseResult, isVerbose: boolean): readonly string[] {
  const line = `${verdict.padEnd(12)} ${name}${misleading === undefined ? '' : ` (misleading: ${misleading})`}`;
  return [line, ...(isVerbose || verdict === 'wrong' ? rounds.flatMap(roundLines) : [])];
}

const roundLines = ({ alertAt, seconds, said, verdict }: Round): readonly string[] => [
  `    alert at ${alertAt} s, answered after ${seconds} s: ${verdict}, ${said.action ?? said.kind}${parametersText(said.parameters)}`,
  ...said.text.split('\n').map((text) => `        ${text}`),
];

const parametersText = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('');

function figures(title: string, results: readonly CaseResult[]): string {
  const counts = VERDICTS.map((verdict) => `${results.filter((one) => one.verdict === verdict).length} ${verdict}`);
  const right = results.filter(({ verdict }) => verdict === 'right').length;
  const share = results.length === 0 ? '' : `, right ${(right / results.length).toFixed(2)}`;
  return `${title}: ${results.length} cases, ${counts.join(', ')}${share}`;
}
