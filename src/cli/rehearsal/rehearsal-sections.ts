import type { RehearsalView } from '../../actions/index.ts';
import { assertNever } from '../../base/index.ts';
import type { Section } from './report.ts';

type View = Omit<RehearsalView, 'catalogue'>;

/** What Sickbay would do, in a few words. */
export function wouldText(view: View): string {
  const { would, cause, unread, plan } = view;
  const known = 'the cause is known';
  const workflow = plan?.workflow ?? 'a workflow';
  const wait = waitText(view);
  switch (would) {
    case 'RunWorkflow':
      return `${known}; ${wait}Sickbay would run ${workflow} without approval`;
    case 'AskForApproval':
      return `${known}; ${wait}Sickbay would ask a person to approve ${workflow}`;
    case 'HandOver':
      return `${cause ? `${known}, but ` : ''}Sickbay would change nothing, and hand it over to a person with what follows`;
    case 'Nothing':
      return 'no fault is found; Sickbay would change nothing';
    case 'NotKnownYet':
      return unread.length > 0
        ? 'it cannot be judged, because something cannot be read'
        : 'it may settle by itself; Sickbay would check again every 10 seconds, and hand it over after 2 minutes';
    default:
      return assertNever(would);
  }
}

/** A plan is not carried out while a gate is closed. */
function waitText({ gates }: View): string {
  const closed = gates.filter(({ state }) => state === 'closed').map(({ name }) => name);
  if (closed.length === 0) return '';
  return closed.includes(UNMANAGED) ? 'once it is managed, ' : `when ${closed.join(' and ')} no longer holds it up, `;
}

const UNMANAGED = 'UnmanagedResource';

/** A rehearsal as the parts of a report. */
export const rehearsalSections = (view: View): readonly Section[] => [
  ...findings(view),
  ...handOver(view),
  ...plan(view),
  {
    title: 'Classified',
    texts: [
      `environment ${view.classification.environment}, severity ${view.classification.severity}, priority ${view.classification.priority}`,
    ],
  },
  { title: 'Alerts', texts: view.gates.flatMap(ignoredText) },
  { title: 'Held up by', texts: view.plan ? gatesOf(view, 'closed') : [], list: 'bullets' },
  { title: 'Not known', texts: [...view.unread, ...(view.plan ? gatesOf(view, 'unknown') : [])], list: 'bullets' },
];

function findings({ cause, summary }: View): readonly Section[] {
  if (!cause) return [{ title: 'Found', texts: [summary] }];
  return [
    { title: 'Cause', texts: [cause.text] },
    { title: 'Confidence', texts: [`${cause.confidence.toFixed(2)} (${cause.fault})`] },
    { title: 'Evidence', texts: cause.evidence, list: 'bullets' },
  ];
}

function handOver({ handOver: given }: View): readonly Section[] {
  if (!given) return [];
  return [
    { title: 'Seen', texts: given.known, list: 'bullets' },
    { title: 'Ruled out', texts: given.ruledOut, list: 'bullets' },
    { title: 'Most likely', texts: given.likely.map(({ cause, check }) => `${cause}. To tell: ${check}`), list: 'numbers' },
    { title: 'Next', texts: [given.advice] },
  ];
}

function plan({ plan: chosen, noPlan, byHand }: View): readonly Section[] {
  const why: Section = { title: 'Not run', texts: noPlan === undefined ? [] : [noPlan] };
  const hand: Section = { title: 'By hand', texts: byHand === undefined ? [] : [byHand] };
  if (!chosen) return [why, hand];
  const { text, parameters, rationale, approval, warnings } = chosen;
  const values = Object.entries(parameters)
    .filter(([name]) => !name.startsWith('TARGET_RESOURCE_'))
    .map(([name, value]) => `${name}=${value}`);
  return [
    why,
    { title: 'Would run', texts: [text, ...values, rationale] },
    { title: 'Approval', texts: [approval.required ? `needed: ${approval.reason ?? 'the policy requires it'}` : 'not needed'] },
    hand,
    { title: 'Warnings', texts: warnings, list: 'bullets' },
  ];
}

const gatesOf = ({ gates }: View, state: 'closed' | 'unknown'): readonly string[] =>
  gates
    .filter((gate) => gate.state === state && gate.name !== UNMANAGED)
    .map(({ name, message, until }) => `${name}: ${message ?? state}${until === undefined ? '' : ` (until ${until})`}`);

const ignoredText = ({ name, state, message = 'it is not managed' }: View['gates'][number]): readonly string[] =>
  name === UNMANAGED && state === 'closed' ? [`about it are ignored: ${message}`] : [];
