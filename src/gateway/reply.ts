import { assertNever, type JsonObject } from '../base/index.ts';
import { problem, type ProblemCode } from './problem.ts';
import type { PutOff, SignalVerdict } from './signal-verdict.ts';

/** An answer before it is serialized: codes from 400 on carry a problem. */
export interface Reply {
  readonly code: number;
  readonly body: JsonObject;
}

/**
 * The answer to a webhook. A deferred signal makes the source send all of them again, which does no harm to those that were
 * received; a 207 would lose it.
 */
export function replyTo(verdicts: readonly SignalVerdict[]): Reply {
  const [only] = verdicts;
  const batch = only && verdicts.length === 1 ? {} : { results: verdicts.map(resultOf), summary: summaryOf(verdicts) };
  const putOff = verdicts.filter((verdict) => verdict.verdict === 'put-off').toSorted((a, b) => codeOf(b) - codeOf(a))[0];
  if (putOff) return failure(codeOf(putOff), putOff.message, batch);
  if (verdicts.every(isMalformed)) return failure(400, verdicts.map(messageOf).join('; '), batch);
  return only && verdicts.length === 1 ? single(only) : { code: 207, body: batch };
}

/** A webhook that holds no alert at all is malformed as a whole. */
const isMalformed = (verdict: SignalVerdict): boolean => verdict.verdict === 'rejected' && verdict.because === 'malformed';

/** The answer to a body of which nothing is received. */
export const refusal = (code: ProblemCode, detail: string): Reply => failure(code, detail, {});

const failure = (code: ProblemCode, detail: string, more: JsonObject): Reply => ({ code, body: { ...problem(code, detail), ...more } });

const codeOf = ({ because }: PutOff): ProblemCode => {
  switch (because) {
    case 'unavailable':
      return 503;
    case 'unforeseen':
      return 500;
    case 'too-many-open':
      return 429;
    default:
      return assertNever(because);
  }
};

const CODES: Readonly<Record<SignalVerdict['verdict'], number>> = {
  created: 201,
  duplicate: 202,
  suppressed: 202,
  resolved: 200,
  'out-of-scope': 200,
  outdated: 200,
  rejected: 202,
  'put-off': 503,
};

function single(verdict: SignalVerdict): Reply {
  const { status, fingerprint, message } = resultOf(verdict);
  const duplicate = verdict.verdict === 'duplicate' || verdict.verdict === 'suppressed';
  const request = requestOf(verdict);
  return {
    code: CODES[verdict.verdict],
    body: {
      status,
      message,
      fingerprint,
      duplicate,
      ...(request ? { remediationRequestName: request.name, remediationRequestNamespace: request.namespace } : {}),
      ...details(verdict),
    },
  };
}

function details(verdict: SignalVerdict): JsonObject {
  if (verdict.verdict === 'out-of-scope') return rejection(verdict, 'unmanaged_resource', 'do as the message says, or ignore the alert');
  if (verdict.verdict === 'rejected')
    return rejection({ ...verdict, resource: '' }, verdict.because.replace(' ', '_'), 'correct the alert, or do not send it here');
  if (verdict.verdict === 'outdated') return rejection(verdict, 'target_gone', 'none: the alert resolves by itself');
  if (verdict.verdict !== 'duplicate' && verdict.verdict !== 'suppressed') return {};
  const { seen, request } = verdict;
  return {
    metadata: {
      count: seen.occurrenceCount,
      firstOccurrence: seen.firstSeenAt,
      lastOccurrence: seen.lastSeenAt,
      remediationRequestRef: `${request.namespace}/${request.name}`,
    },
  };
}

interface Result extends JsonObject {
  readonly status: string;
  readonly fingerprint: string;
  readonly message: string;
}

const rejection = (verdict: SignalVerdict & { readonly resource: string }, reason: string, action: string): JsonObject => ({
  rejection: { status: 'rejected', reason, message: messageOf(verdict), resource: verdict.resource, action },
});

/** The status of a verdict in the answer, where it is not the verdict's own name. */
const STATUSES: Partial<Readonly<Record<SignalVerdict['verdict'], string>>> = {
  'out-of-scope': 'rejected',
  outdated: 'rejected',
  'put-off': 'failed',
};

function resultOf(verdict: SignalVerdict): Result {
  const message = messageOf(verdict);
  const status = STATUSES[verdict.verdict] ?? verdict.verdict;
  const fingerprint = 'fingerprint' in verdict ? verdict.fingerprint : '';
  const failed = verdict.verdict === 'rejected' || verdict.verdict === 'put-off';
  return { status, fingerprint, message, ...(failed ? { error: message } : {}) };
}

const requestOf = (verdict: SignalVerdict) => ('request' in verdict ? verdict.request : undefined);

/** A verdict for people. */
export function messageOf(verdict: SignalVerdict): string {
  switch (verdict.verdict) {
    case 'created':
      return `RemediationRequest ${verdict.request.name} created`;
    case 'duplicate':
      return duplicateText(verdict);
    case 'suppressed':
      return suppressedText(verdict);
    case 'resolved':
      return verdict.request ? `recorded on RemediationRequest ${verdict.request.name}` : 'no RemediationRequest is open for it';
    case 'outdated':
      return `${verdict.resource} no longer exists, so nothing can be remediated`;
    case 'out-of-scope':
    case 'rejected':
    case 'put-off':
      return verdict.message;
    default:
      return assertNever(verdict);
  }
}

function suppressedText({ request, until, judged }: Extract<SignalVerdict, { verdict: 'suppressed' }>): string {
  if (judged === undefined) return `RemediationRequest ${request.name} is completed; a new one is possible from ${until}`;
  return `RemediationRequest ${request.name} judged this alert: ${judged}; a new one is possible from ${until}, or as soon as the alert is more severe, the spec of the target changes, or a person clears the block`;
}

function duplicateText({ request, refused }: Extract<SignalVerdict, { verdict: 'duplicate' }>): string {
  if (!refused) return `RemediationRequest ${request.name} is already active for it`;
  return `${refused.by} refused RemediationRequest ${request.name}: the same is not proposed again before ${refused.until}, unless the spec of the target changes`;
}

function summaryOf(verdicts: readonly SignalVerdict[]): JsonObject {
  const count = (...kinds: readonly SignalVerdict['verdict'][]): number => verdicts.filter(({ verdict }) => kinds.includes(verdict)).length;
  return {
    total: verdicts.length,
    created: count('created'),
    deduplicated: count('duplicate', 'suppressed'),
    resolved: count('resolved'),
    rejected: count('rejected', 'out-of-scope', 'outdated'),
    failed: count('put-off'),
  };
}
