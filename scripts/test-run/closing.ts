import type { Lane } from '../../src/testkit/lane.ts';
import type { RecordedTest, TestRun } from './record.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How many of the slowest files of each lane are named. */
const SLOWEST = 10;

/** Only a file that takes this long is worth a line. */
const SLOW_SECONDS = 1;

/** The last lines of a run: the slowest files of each lane, what was not proved and why, then the count. */
export function closingLines(run: TestRun, lanes: readonly Lane[], env: Environment): readonly string[] {
  const skipped = run.tests.filter((test) => test.state === 'skipped');
  const absent = lanes.filter((lane) => !env[lane.setting]);
  const alone = skipped.filter((test) => !absent.some((lane) => lane.name === test.project));
  return [
    ...slowestLines(run),
    ...absent.flatMap((lane) => laneLine(lane, skipped)),
    ...alone.map((test) => `skipped: ${test.file}: ${test.title}`),
    countLine(run),
  ];
}

function laneLine(lane: Lane, skipped: readonly RecordedTest[]): readonly string[] {
  const count = skipped.filter((test) => test.project === lane.name).length;
  return count === 0 ? [] : [`skipped: ${lane.name} (set ${lane.setting}): ${count} ${count === 1 ? 'test' : 'tests'}`];
}

function slowestLines({ files }: TestRun): readonly string[] {
  const slow = files.filter(({ seconds }) => seconds >= SLOW_SECONDS).toSorted((a, b) => b.seconds - a.seconds);
  return [...Map.groupBy(slow, ({ project }) => project)].flatMap(([project, ofProject]) => [
    `slowest of ${project}:`,
    ...ofProject.slice(0, SLOWEST).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
  ]);
}

/** Counts of passed, failed and skipped tests; an error outside a test counts as failed. */
export function countLine(run: TestRun): string {
  const count = (state: RecordedTest['state']): number => run.tests.filter((test) => test.state === state).length;
  return `${count('passed')} passed, ${failures(run)} failed, ${count('skipped')} skipped`;
}

/** Failed tests and errors outside tests. */
export const failures = (run: TestRun): number => run.tests.filter((test) => test.state === 'failed').length + run.errors.length;
