import type { ConclusionView, RehearsalView } from '../../actions/index.ts';
import { assertNever } from '../../base/index.ts';
import type { Section } from './report.ts';

type View = Omit<RehearsalView, 'catalogue'>;

/** What Sickbay would do, in a few words. */
export function wouldText(view: View): string {
  const { unread, ifNothingChanges: later } = view;
  if (view.would !== 'NotKnownYet') return conclusionText(view, view);
  if (unread.length > 0) return 'it cannot be judged, because something cannot be read';
  const wait = 'it may settle by itself, so Sickbay would check it again and again';
  return later ? `${wait}; if nothing changes within ${later.within}: ${conclusionText(later, view)}` : wait;
}

function conclusionText({ would, cause, plan: chosen }: ConclusionView, view: View): string {
  const workflow = chosen?.workflow ?? 'a workflow';
  switch (would) {
    case 'RunWorkflow':
      return `the cause is known; ${waitText(view)}Sickbay would run ${workflow} without approval`;
    case 'AskForApproval':
      return `the cause is known; ${waitText(view)}Sickbay would ask a person to approve ${workflow}`;
    case 'HandOver':
      return `${cause ? 'the cause is known, but ' : ''}Sickbay would change nothing, and hand it over to a person with what follows`;
    case 'Nothing':
      return 'no fault is found; Sickbay would change nothing';
    case 'NotKnownYet':
      return 'it is not known';
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
export function rehearsalSections(view: View): readonly Section[] {
  const { ifNothingChanges: later, classification, unread } = view;
  const shown = later ?? view;
  const { environment, severity, priority } = classification;
  return [
    { title: 'Now', texts: later ? [view.summary] : [] },
    ...(later?.would === 'Nothing' ? [] : [...findings(shown), ...handOver(shown), ...plan(shown)]),
    { title: 'Classified', texts: [`environment ${environment}, severity ${severity}, priority ${priority}`] },
    { title: 'Alerts', texts: view.gates.flatMap(ignoredText) },
    { title: 'Held up by', texts: shown.plan ? gatesOf(view, 'closed') : [], list: 'bullets' },
    { title: 'Not known', texts: [...unread, ...(shown.plan ? gatesOf(view, 'unknown') : [])], list: 'bullets' },
  ];
}

function findings({ cause, summary }: ConclusionView): readonly Section[] {
  if (!cause) return [{ title: 'Found', texts: [summary] }];
  return [
    { title: 'Cause', texts: [cause.text] },
    { title: 'Confidence', texts: [`${cause.confidence.toFixed(2)} (${cause.fault})`] },
    { title: 'Evidence', texts: cause.evidence, list: 'bullets' },
  ];
}

function handOver({ handOver: given }: ConclusionView): readonly Section[] {
  if (!given) return [];
  return [
    { title: 'Seen', texts: given.known, list: 'bullets' },
    { title: 'Ruled out', texts: given.ruledOut, list: 'bullets' },
    { title: 'Most likely', texts: given.likely.map(({ cause, check }) => `${cause}. To tell: ${check}`), list: 'numbers' },
    { title: 'Next', texts: [given.advice] },
  ];
}

function plan({ plan: chosen, noPlan, byHand }: ConclusionView): readonly Section[] {
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

/** Gates with the same message together: one missing right keeps several from being judged. */
function gatesOf({ gates }: View, state: 'closed' | 'unknown'): readonly string[] {
  const such = gates.filter((gate) => gate.state === state && gate.name !== UNMANAGED);
  const byMessage = Map.groupBy(such, ({ message = state, until }) => `${message}${until === undefined ? '' : ` (until ${until})`}`);
  return [...byMessage].map(([message, some]) => `${some.map(({ name }) => name).join(', ')}: ${message}`);
}

const ignoredText = ({ name, state, message = 'it is not managed' }: View['gates'][number]): readonly string[] =>
  name === UNMANAGED && state === 'closed' ? [`about it are ignored: ${message}`] : [];
