import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import { formatDuration, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { Explanation, ExplainedGate } from './explanation.ts';
import { gateText } from './next-step.ts';

const MARKS: Readonly<Record<ExplainedGate['state'], string>> = { open: 'open', closed: 'CLOSED', unknown: '?', ahead: '-' };
const WIDTH = 20;

/** An explanation as text, in the layout of `kubectl describe`; with `now` every moment shows how far off it is. */
export function explainText(explanation: Explanation, now: Instant): string {
  const { name, namespace, phase, outcome, message, analysis, assessment, gates, blocker, next } = explanation;
  const lines = [
    line('Name', name),
    line('Namespace', namespace),
    line('Phase', outcome === undefined ? phase : `${phase} (${outcome})`),
    ...optionalLine('Message', message),
    ...optionalLine('Analysis', analysis),
    ...optionalLine('Assessment', assessment),
    ...(blocker
      ? [
          line('Blocked by', blocker.object ? `${blocker.gate} (${blocker.object.kind} ${blocker.object.name})` : blocker.gate),
          line('Because', blocker.message),
        ]
      : []),
    line('Next', next.what),
    ...(next.at === undefined ? [] : [line(isWorkedOn(phase) ? 'Times out at' : 'At the latest', moment(next.at, now))]),
    ...(next.lookAgainAt === undefined ? [] : [line('Checked again at', moment(next.lookAgainAt, now))]),
    ...(next.commands ?? []).map((command, index) => line(index === 0 ? 'To decide' : '', command)),
    'Gates:',
    ...gates.map(gateLine),
  ];
  return `${lines.join('\n')}\n`;
}

/** Only active phases have a time limit. */
const isWorkedOn = (phase: Explanation['phase']): boolean => phase !== 'Blocked' && !isTerminal(remediationPhases, phase);

const line = (label: string, text: string): string => `${(label === '' ? '' : `${label}:`).padEnd(WIDTH)}${text}`;

const optionalLine = (label: string, text: string | undefined): readonly string[] => (text === undefined ? [] : [line(label, text)]);

function gateLine(gate: ExplainedGate): string {
  const { name, state, inputs } = gate;
  const message = state === 'unknown' ? gateText(gate) : gate.message;
  const judged = Object.entries(inputs).map(([input, value]) => `${input}=${value}`);
  return `  ${name.padEnd(WIDTH)}${MARKS[state].padEnd(8)}${[judged.join(' '), message].filter(Boolean).join(' | ')}`.trimEnd();
}

/** A moment and how far off it is, in whole seconds. */
function moment(at: Instant, now: Instant): string {
  const off = Math.round((at - now) / SECOND) * SECOND;
  if (off === 0) return `${toTime(at)} (now)`;
  return off > 0 ? `${toTime(at)} (in ${formatDuration(off)})` : `${toTime(at)} (${formatDuration(-off)} ago)`;
}
