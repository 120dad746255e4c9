import type { Remediation, RemediationSummary } from '../../../../src/server/contract/index.ts';

type Phase = RemediationSummary['phase'];

/** The way of a remediation that nothing stops. */
const WAY: readonly Phase[] = ['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Executing', 'Verifying', 'Completed'];

type StepState = 'passed' | 'present' | 'left-out' | 'ahead';

/** A phase of the way, and what became of it. */
export interface Step {
  readonly phase: Phase;
  readonly state: StepState;
}

/** Whether a phase is on the way. The others are drawn where the way was left. */
export const isOnWay = (phase: Phase): boolean => WAY.includes(phase);

/** The steps of the way, each with what became of it. */
export function stepsOf(of: Remediation): readonly Step[] {
  const { phase } = of.summary;
  const reached = new Set(reachedBy(of));
  const present = WAY.indexOf(phase);
  const furthest = present < 0 ? Math.max(...[...reached].map((each) => WAY.indexOf(each))) : present;
  return WAY.map((each, index) => {
    if (each === phase) return { phase: each, state: 'present' };
    if (index > furthest) return { phase: each, state: 'ahead' };
    return { phase: each, state: reached.has(each) ? 'passed' : 'left-out' };
  });
}

/** Phases that left a trace: what their controllers made. */
function reachedBy({ analysis, approval, execution, assessment, timeline }: Remediation): readonly Phase[] {
  const isClassified = timeline.some(({ object }) => object?.kind === 'SignalProcessing');
  return [
    'Pending',
    ...(isClassified || analysis ? (['Processing'] as const) : []),
    ...(analysis ? (['Analyzing'] as const) : []),
    ...(approval ? (['AwaitingApproval'] as const) : []),
    ...(execution ? (['Executing'] as const) : []),
    ...(assessment ? (['Verifying'] as const) : []),
  ];
}
