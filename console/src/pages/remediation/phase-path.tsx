import type { Remediation, RemediationSummary } from '../../../../src/server/contract/index.ts';
import { phaseText, stateOf } from '../../parts/looks.ts';

type Phase = RemediationSummary['phase'];

/** The way of a remediation that nothing stops. */
const WAY: readonly Phase[] = ['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Executing', 'Verifying', 'Completed'];

type StepState = 'passed' | 'present' | 'left-out' | 'ahead';

interface Step {
  readonly phase: Phase;
  readonly state: StepState;
}

/** The state machine with the path that was taken. The phases off the way are drawn where the way was left. */
export function PhasePath({ of }: { readonly of: Remediation }) {
  const { phase } = of.summary;
  const isOnWay = WAY.includes(phase);
  const steps = stepsOf(of);
  return (
    <ol className="path" aria-label="Phases">
      {steps.map(({ phase: step, state }) => (
        <li
          key={step}
          data-state={state}
          data-look={state === 'present' ? stateOf(of.summary).look : undefined}
          aria-current={state === 'present' ? 'step' : undefined}
        >
          <span className="path-dot" />
          <span>{phaseText(step)}</span>
        </li>
      ))}
      {!isOnWay && (
        <li data-state="present" data-look={stateOf(of.summary).look} aria-current="step" className="path-off">
          <span className="path-dot" />
          <span>{phaseText(phase)}</span>
        </li>
      )}
    </ol>
  );
}

/** The steps of the way, each with what became of it. */
function stepsOf(of: Remediation): readonly Step[] {
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
