import { messageOf, PlatformError, type ErrorCode } from '../src/base/index.ts';
import { Refusal } from './refusal.ts';

/** What somebody can do about a failure that the server, or the way to it, is the cause of. */
const ADVICE: Readonly<Partial<Record<ErrorCode, (workflow: string) => string>>> = {
  Forbidden: (workflow) =>
    `the account has not all the rights that the workflow needs: give it the ClusterRole of workflows/${workflow}/workflow.yaml`,
  Unauthorized: () => 'the server does not know who asks: the token is wrong, expired, or its ServiceAccount is gone',
  Unavailable: () => 'the server did not answer, so see that it is up; running this again is safe, and does not do twice what was done',
  TooManyRequests: () => 'the server has too much to do; running this again is safe, and does not do twice what was done',
};

/** Why a workflow did not do what it should, in one line, with what to do about it. */
export function adviceOn(error: unknown, workflow: string): string {
  const said = messageOf(error).replaceAll(/\s*\n\s*/g, ' ');
  const own = error instanceof Refusal || !(error instanceof PlatformError) || error.retry === 'never';
  const advice = own ? undefined : ADVICE[error.code]?.(workflow);
  return advice === undefined ? said : `${said} (${advice})`;
}
