import { given, toTime, type Instant } from '../base/index.ts';
import type { SignalRecord } from '../store/index.ts';
import { messageOf } from './reply.ts';
import type { NamedObject, Signal } from './signal.ts';
import type { Rejected, SignalVerdict } from './signal-verdict.ts';

/** What the journal of signals keeps of one. */
export function recordOf(signal: Signal | Rejected, verdict: SignalVerdict, now: Instant): Omit<SignalRecord, 'number'> {
  return {
    at: toTime(now),
    verdict: verdict.verdict,
    message: messageOf(verdict),
    ...given({
      name: 'name' in signal ? signal.name : signal.signal,
      severity: 'severity' in signal ? signal.severity : undefined,
      target: 'about' in signal ? targetOf(signal.about) : undefined,
      fingerprint: 'fingerprint' in verdict ? verdict.fingerprint : undefined,
      remediation: 'request' in verdict ? verdict.request?.name : undefined,
      until: 'until' in verdict ? verdict.until : undefined,
    }),
  };
}

const targetOf = ({ resource, key: { namespace, name } }: NamedObject) => ({
  kind: resource.kind,
  name,
  ...(namespace !== '' && { namespace }),
});
