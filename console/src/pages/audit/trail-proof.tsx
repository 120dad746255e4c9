import { useQuery } from '@tanstack/react-query';
import type { AuditVerification } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { Ago } from '../../parts/time.tsx';
import { proofText } from './proof-text.ts';

/** Whether the trail is what was recorded. */
export function TrailProof() {
  const { data } = useQuery(queries.auditVerification());
  return data ? <Proof of={data} /> : null;
}

function Proof({ of }: { readonly of: AuditVerification }) {
  const isAlarm = of.state === 'Broken' || of.state === 'Unreadable';
  return (
    <section aria-label="Verification" role={isAlarm ? 'alert' : undefined}>
      <p className={isAlarm ? 'strong' : 'dim'}>
        {proofText(of)}
        {of.at !== undefined && (
          <>
            {' '}
            Verified <Ago at={of.at} />.
          </>
        )}
      </p>
      {of.findings.length > 0 && (
        <ul>
          {of.findings.map(({ kind, from, message }) => (
            <li key={`${kind} ${from}`}>{message}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
