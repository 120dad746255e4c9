import type { Container, Pod, PodSpec } from '../../api/builtin/index.ts';
import { sameJson } from '../../base/index.ts';
import { thousandths } from '../../base/quantity.ts';
import { plainText } from '../surroundings/log-lines.ts';
import type { FindSymptom } from './symptom.ts';

/** A request that grew by less may fit when the cluster is less full. */
const MUCH_MORE = 2n;

/**
 * The scheduler finds no node for any pod, for a reason that the new revision brought: a node selector, an affinity, a toleration that it lacks, or
 * requests that are much higher. A cluster that is full, or nodes that were tainted, are not the release's fault.
 */
export const fitsNoNode: FindSymptom = ({ newest }, back) => {
  const messages = newest.pods.map(refusal);
  const [now, before] = [newest, back].map(({ replicaSet }) => replicaSet.spec.template?.spec);
  if (!now || !before || messages.some((message) => message === undefined)) return undefined;
  const [first = ''] = messages;
  const brought = REASONS.find(
    ({ says, isBrought }) => messages.every((message) => says.test(message ?? '')) && isBrought(now, before, first),
  );
  return brought && { fault: 'ReleaseFitsNoNode', text: `${brought.text}, which fits no node (${plainText(first)})` };
};

function refusal({ status }: Pod): string | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return scheduled?.status === 'False' && scheduled.reason === 'Unschedulable' ? beforePreemption(scheduled.message ?? '') : undefined;
}

/** What follows is about pods that might have to leave. */
const beforePreemption = (message: string): string => message.split(/\bpreemption:/)[0] ?? '';

interface Reason {
  /** The scheduler's word for it. */
  readonly says: RegExp;
  /** Whether the template changed so that it can be the cause. */
  readonly isBrought: (now: PodSpec, before: PodSpec, message: string) => boolean;
  readonly text: string;
}

const differs =
  (...members: readonly string[]) =>
  (now: PodSpec, before: PodSpec): boolean =>
    members.some((member) => {
      const [one, other] = [now, before].map((spec) => (spec as unknown as Readonly<Record<string, unknown>>)[member] ?? null);
      return !sameJson(one as object, other as object);
    });

const REASONS: readonly Reason[] = [
  {
    says: /didn't match Pod's node affinity\/selector/,
    isBrought: differs('nodeSelector', 'affinity'),
    text: 'has another node selector or affinity',
  },
  { says: /had untolerated taint/, isBrought: toleratesLess, text: 'has other tolerations' },
  {
    says: /didn't match pod (anti-)?affinity rules|didn't satisfy (existing pods )?anti-?affinity/i,
    isBrought: differs('affinity'),
    text: 'has another affinity',
  },
  { says: /topology spread constraints/, isBrought: differs('topologySpreadConstraints'), text: 'has other topology spread constraints' },
  { says: /Insufficient cpu\b/, isBrought: requestsMuchMore('cpu'), text: 'requests much more CPU' },
  { says: /Insufficient memory\b/, isBrought: requestsMuchMore('memory'), text: 'requests much more memory' },
];

const TAINT = /untolerated taint(?:\(s\))? \{([^:}]+)/g;

/** A toleration that the revision before had is gone, for a taint that the scheduler names. */
function toleratesLess({ tolerations: now = [] }: PodSpec, { tolerations: before = [] }: PodSpec, message: string): boolean {
  const taints = new Set([...message.matchAll(TAINT)].map(([, key]) => key?.trim()));
  const gone = before.filter((toleration) => !now.some((one) => sameJson(one, toleration)));
  return gone.some(({ key }) => key === undefined || taints.has(key));
}

function requestsMuchMore(what: string) {
  return (now: PodSpec, before: PodSpec): boolean => {
    const [more, less] = [totalOf(now, what), totalOf(before, what)];
    return more !== undefined && less !== undefined && less > 0n && more >= MUCH_MORE * less;
  };
}

/** What the containers request together; undefined where an amount cannot be read. */
function totalOf({ containers }: PodSpec, what: string): bigint | undefined {
  const amounts = containers.map((container) => requestOf(container, what));
  return amounts.every((amount) => amount !== undefined) ? amounts.reduce((sum, amount) => sum + amount, 0n) : undefined;
}

function requestOf({ resources }: Container, what: string): bigint | undefined {
  const text = resources?.requests?.[what] ?? resources?.limits?.[what];
  return text === undefined ? 0n : thousandths(text);
}
