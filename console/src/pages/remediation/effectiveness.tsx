import type { Remediation } from '../../../../src/server/contract/index.ts';
import { Facts, Panel } from '../../parts/panel.tsx';
import { Countdown } from '../../parts/time.tsx';
import { Metrics } from './metrics.tsx';

type Assessment = NonNullable<Remediation['assessment']>;
type Component = Assessment['components'][number];

const NAMES: Readonly<Record<Component['name'], string>> = { health: 'Health', alert: 'Alert', metrics: 'Metrics' };

/** Whether it helped: the components, and how the score comes from them. */
export const Effectiveness = ({ of, remediation }: { readonly of: Assessment; readonly remediation: string }) => (
  <Panel title="Effectiveness" aside={of.score === undefined ? of.phase : <strong className="score">{of.score.toFixed(2)}</strong>}>
    {of.message !== undefined && <p>{of.message}</p>}
    <table className="components">
      <thead>
        <tr>
          <th scope="col">Component</th>
          <th scope="col">Score</th>
          <th scope="col">Weight</th>
        </tr>
      </thead>
      <tbody>
        {of.components.map(({ name, score, weight, assessed }) => (
          <tr key={name}>
            <th scope="row">{NAMES[name]}</th>
            <td>{score === undefined ? assessed ? 'unknown' : 'not assessed' : <Bar share={score} />}</td>
            <td className="figures">{weight.toFixed(2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {of.score !== undefined && <p className="dim figures">{arithmetic(of)}</p>}
    <Metrics remediation={remediation} />
    <Facts
      of={[
        ['Spec of the target', driftText(of.spec)],
        ['Completes at the latest', of.completedAt === undefined && of.deadline !== undefined && <Countdown at={of.deadline} />],
      ]}
    />
  </Panel>
);

const Bar = ({ share }: { readonly share: number }) => (
  <span className="bar-of">
    <progress max={1} value={share} aria-label={share.toFixed(2)} />
    <span className="figures">{share.toFixed(2)}</span>
  </span>
);

/** @example (0.40 × 1.00 + 0.35 × 1.00) ÷ 0.75 = 1.00 */
function arithmetic({ components, score = 0 }: Assessment): string {
  const known = components.filter((component): component is Component & { readonly score: number } => component.score !== undefined);
  const sum = known.map((component) => `${component.weight.toFixed(2)} × ${component.score.toFixed(2)}`).join(' + ');
  const weights = known.reduce((total, { weight }) => total + weight, 0);
  return `(${sum}) ÷ ${weights.toFixed(2)} = ${score.toFixed(2)}`;
}

function driftText({ after, now, drifted }: Assessment['spec']): string | undefined {
  if (after === undefined && now === undefined) return undefined;
  return drifted === true ? 'changed since it was first checked' : 'unchanged since it was first checked';
}
