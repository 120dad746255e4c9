import { AwxError } from '../client/awx-error.ts';
import type { AwxJob } from '../observed-awx.ts';

/** A job out of an answer of AWX. */
export function jobOf(fields: Readonly<Record<string, unknown>>): AwxJob {
  const { id, status, started, job_explanation: explanation } = fields;
  if (typeof id !== 'number' || !Number.isInteger(id) || typeof status !== 'string')
    throw new AwxError('Internal', 'reading a job: the answer of AWX has no id or no status');
  return {
    id,
    status,
    hasStarted: typeof started === 'string' && started !== '',
    explanation: typeof explanation === 'string' ? explanation.trim() : '',
  };
}
