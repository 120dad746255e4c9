import { given } from '../../../base/index.ts';
import { blockerOf, nextStep } from './next-step.ts';
import type { Explanation, ExplainSeen } from './explanation.ts';
import { gatesOf } from './gates.ts';

/** Why a request is in its state: each gate with its inputs, what blocks the request now, and what moves it on. Pure. */
export function explain(seen: ExplainSeen): Explanation {
  const { metadata, status } = seen.request;
  const phase = status?.overallPhase ?? 'Pending';
  const gates = gatesOf(seen);
  const blocker = blockerOf(seen, phase, gates);
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    phase,
    ...(status?.outcome !== undefined && { outcome: status.outcome }),
    ...(status?.message !== undefined && { message: status.message }),
    ...quotes(seen),
    gates,
    ...(blocker && { blocker }),
    next: nextStep(seen, phase, blocker),
  };
}

/** What the analysis and the assessment say of themselves. */
const quotes = ({ analysis, assessment }: ExplainSeen): Pick<Explanation, 'analysis' | 'assessment'> =>
  given({ analysis: quoteOf(analysis?.status), assessment: quoteOf(assessment?.status) });

/** The message of a child, with its phase. */
const quoteOf = (status: { readonly phase?: string; readonly message?: string } | undefined): string | undefined =>
  status?.message === undefined ? undefined : `${status.message} (${status.phase ?? 'Pending'})`;
