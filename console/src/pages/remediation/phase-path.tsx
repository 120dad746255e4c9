import type { Remediation } from '../../../../src/server/contract/index.ts';
import { phaseText, stateOf } from '../../parts/looks.ts';
import { isOnWay, stepsOf } from './phase-steps.ts';

/** The state machine with the path that was taken. The phases off the way are drawn where the way was left. */
export function PhasePath({ of }: { readonly of: Remediation }) {
  const { phase } = of.summary;
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
      {!isOnWay(phase) && (
        <li data-state="present" data-look={stateOf(of.summary).look} aria-current="step" className="path-off">
          <span className="path-dot" />
          <span>{phaseText(phase)}</span>
        </li>
      )}
    </ol>
  );
}
