import { Link } from '@tanstack/react-router';
import type { MachineCheck } from '../../../../src/server/contract/index.ts';
import type { Look } from '../../parts/looks.ts';
import { Tag } from '../../parts/tag.tsx';
import { Ago } from '../../parts/time.tsx';

/** One check with its gate: how many are healthy, how many not, and from how many on it stops. */
export const Check = ({ of }: { readonly of: MachineCheck }) => (
  <li>
    <div className="check-head">
      <Link to="/machines" search={{ check: of.name }} className="strong">
        {of.namespace}/{of.name}
      </Link>
      <GateTag of={of} />
      <span className="dim check-counts figures">
        {of.healthy} of {of.expected} healthy
        {of.remediations.length > 0 && `, ${of.remediations.length} in remediation`}
        {of.limit !== undefined && `, stops at ${of.limit} unhealthy`}
      </span>
    </div>
    <GateBar of={of} />
    {of.message !== undefined && <p className="dim">{of.message}</p>}
    {of.storm && (
      <p className="blocker">
        Too many Machines were unhealthy at once <Ago at={of.storm.since} />.
      </p>
    )}
  </li>
);

function GateTag({ of: { paused, allowed } }: { readonly of: MachineCheck }) {
  const [look, text] = gateOf(paused, allowed);
  return <Tag look={look}>{text}</Tag>;
}

function gateOf(paused: boolean, allowed: MachineCheck['allowed']): readonly [Look, string] {
  if (paused) return ['quiet', 'paused'];
  if (allowed === 'True') return ['success', 'may remediate'];
  return allowed === 'False' ? ['failure', 'stopped'] : ['warning', 'unknown'];
}

/** Healthy Machines, those in remediation, the other unhealthy ones; a mark where remediation stops. */
function GateBar({ of: { expected, healthy, remediations, remediationsAllowed } }: { readonly of: MachineCheck }) {
  const most = Math.max(expected, 1);
  const unhealthy = expected - healthy;
  const remediating = Math.min(remediations.length, unhealthy);
  const stopsAt = unhealthy + remediationsAllowed;
  const share = (count: number) => `${(count / most) * 100}%`;
  return (
    <div
      className="gate-bar"
      role="img"
      aria-label={`${healthy} healthy, ${remediating} in remediation, ${unhealthy - remediating} unhealthy; ${remediationsAllowed} more may turn unhealthy before it stops`}
    >
      <span data-part="healthy" style={{ width: share(healthy) }} />
      <span data-part="remediating" style={{ width: share(remediating) }} />
      <span data-part="unhealthy" style={{ width: share(unhealthy - remediating) }} />
      {stopsAt < expected && <i style={{ right: share(stopsAt) }} title={`Remediation stops when more than ${stopsAt} are unhealthy`} />}
    </div>
  );
}
