import { stringify } from 'yaml';
import type { RehearsalView, Simulated, SimulatedSignal } from '../../actions/index.ts';
import { rehearsalSections, wouldText } from './rehearsal-sections.ts';
import { headline, oneLine, reportLines } from './report.ts';

/** The printed simulation: a table of all signals, then what would become of each. */
export function simulatedText(simulated: Simulated, form: 'table' | 'json' | 'yaml', columns?: number): string {
  if (form === 'json') return JSON.stringify(simulated, undefined, 2);
  if (form === 'yaml') return stringify(simulated, { lineWidth: 0 }).trimEnd();
  const { signals, catalogue } = simulated;
  const note = catalogue.note === undefined ? [] : ['', ...headline(`Catalogue: ${catalogue.note}.`, columns)];
  return [...tableLines(signals), ...signals.flatMap((signal, i) => detailLines(signal, i + 1, columns)), ...note].join('\n');
}

const NONE = '-';
const HEADERS = ['#', 'SIGNAL', 'TARGET', 'VERDICT', 'CLASSIFICATION', 'WOULD'] as const;

const WOULD = {
  RunWorkflow: 'run',
  AskForApproval: 'ask to approve',
  HandOver: 'hand over',
  Nothing: 'change nothing',
  NotKnownYet: 'not known yet',
} as const;

function tableLines(signals: readonly SimulatedSignal[]): readonly string[] {
  const rows = [HEADERS, ...signals.map((signal, i) => [String(i + 1), ...rowOf(signal)])];
  const widths = HEADERS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

function rowOf(signal: SimulatedSignal): readonly string[] {
  const { name = NONE, verdict, analysis } = signal;
  const would = analysis ? wouldCell(analysis) : NONE;
  const { environment, severity, priority } = analysis?.classification ?? {};
  return [name, targetText(signal), verdict, analysis ? `${environment}, ${severity}, ${priority}` : NONE, would].map(oneLine);
}

function wouldCell({ ifNothingChanges: later, ...now }: NonNullable<SimulatedSignal['analysis']>): string {
  const { would, plan } = later ?? now;
  return `${later ? 'wait, then ' : ''}${WOULD[would]}${plan ? ` ${plan.workflow}` : ''}`;
}

function targetText({ target, about }: SimulatedSignal): string {
  const of = target ?? about;
  return of ? `${of.kind} ${of.namespace === undefined ? '' : `${of.namespace}/`}${of.name}` : NONE;
}

function detailLines(signal: SimulatedSignal, number: number, columns: number | undefined): readonly string[] {
  const { name = 'a signal without a name', analysis, message } = signal;
  const next = nextOf(signal);
  const sections = [
    { title: 'Verdict', texts: [message] },
    { title: 'Next', texts: next === undefined ? [] : [next] },
    ...(analysis ? [...rehearsalSections(analysis), { title: 'Gates', texts: gatesText(analysis) }] : []),
  ];
  const summary = analysis ? `: ${wouldText(analysis)}` : '';
  const of = targetText(signal);
  return ['', ...headline(`${number}. ${name}${of === NONE ? '' : ` on ${of}`}${summary}.`, columns), ...reportLines(sections, columns)];
}

const STATES = { open: 'pass', closed: 'closed', unknown: 'not known', ahead: 'checked later' } as const;

/** The gates that a remediation passes on its way, by what they would say now. */
function gatesText({ gates }: Pick<RehearsalView, 'gates'>): readonly string[] {
  const byState = Map.groupBy(gates, ({ state }) => state);
  return [[...byState].map(([state, some]) => `${STATES[state]}: ${some.map(({ name }) => name).join(', ')}`).join('; ')];
}

/** What shows more where the simulation ends with the verdict. */
function nextOf({ verdict, remediation, about }: SimulatedSignal): string | undefined {
  if (remediation?.exists) return `sickbay explain ${remediation.name}`;
  if (verdict !== 'out-of-scope' || !about) return undefined;
  const at = about.namespace === undefined ? '' : ` -n ${about.namespace}`;
  return `what is wrong with it all the same: sickbay diagnose ${about.kind.toLowerCase()}/${about.name}${at}`;
}
