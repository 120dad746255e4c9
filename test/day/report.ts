import type { Course } from './book.ts';
import { toldOf } from './expectations.ts';
import type { Fault } from './fault.ts';
import type { Stage } from './stage.ts';

/** How a fault ended. */
export interface Result {
  readonly fault: Fault;
  readonly stage: Stage;
  readonly seconds: number;
}

/** The table of the day, and what people were told. */
export function report(results: readonly Result[]): readonly string[] {
  const wrong = results.filter(({ stage }) => stage.wrongs.length > 0).length;
  return [
    '',
    '| fault | alerts seen | verdicts | phases, with seconds | outcome | expected | ok |',
    '|---|---|---|---|---|---|---|',
    ...results.map(row),
    '',
    ...results.flatMap(told),
    '',
    `${results.length - wrong} of ${results.length} faults ended as expected`,
  ];
}

function row({ fault, stage, seconds }: Result): string {
  const alerts = counted(stage.alerts().map(({ labels, state }) => `${labels['alertname']}${state === 'resolved' ? ' resolved' : ''}`));
  const verdicts = counted(stage.alerts().map(({ verdict }) => verdict));
  const courses = coursesOf(stage);
  const phases = courses.map(phasesText).join(' ⏵ ');
  const outcomes = courses.map(({ request: { status } }) => status?.outcome ?? status?.overallPhase ?? 'none').join(', ');
  const ok = stage.wrongs.length === 0 ? 'yes' : `NO: ${stage.wrongs.join('; ')}`;
  return `| ${[`${fault.name} (${seconds.toFixed(0)} s)`, alerts, verdicts, phases, outcomes, fault.expected, ok].map(cell).join(' | ')} |`;
}

/** Also those about the Node, where the fault was one of a Node. */
const coursesOf = (stage: Stage): readonly Course[] => [
  ...stage.courses(),
  ...(stage.name === 'node' ? stage.day.book.courses(({ spec }) => spec.targetResource.kind === 'Node') : []),
];

const cell = (text: string): string => text.replaceAll('|', '/').replaceAll('\n', ' ');

const counted = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ${all.length}`).join(', ');

const phasesText = ({ phases }: Course): string =>
  phases.map(({ phase, at }, i) => (phases[i + 1] ? `${phase} ${((phases[i + 1]!.at - at) / 1_000).toFixed(0)}` : phase)).join(' → ');

function told({ fault, stage }: Result): readonly string[] {
  const requests = coursesOf(stage).flatMap((course) => [
    '',
    `### ${fault.name}: ${course.request.metadata.name}, ${course.request.spec.signalName} on ${course.request.status?.signalTargetDisplay ?? ''}`,
    ...course.phases.map(({ phase, message }) => `  ${phase.padEnd(16)} ${message}`),
    ...(course.request.status?.conditions ?? []).map(
      ({ type, status, reason, message }) => `  condition ${type}=${status} ${reason}: ${message}`,
    ),
    ...toldOf(stage, course)
      .split('\n')
      .map((line) => `    > ${line}`),
  ]);
  return [
    ...requests,
    ...stage.explained.flatMap((text) => ['', '  sickbay explain:', ...text.split('\n').map((line) => `    | ${line}`)]),
  ];
}
