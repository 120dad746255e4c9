import { messageOf, PlatformError, type ErrorCode } from '../src/base/index.ts';
import { Refusal } from './refusal.ts';

/** What an operator can do about a failure of the server, or of the connection to it. */
const ADVICE: Readonly<Partial<Record<ErrorCode, (workflow: string) => string>>> = {
  Forbidden: (workflow) =>
    `the account has not all the rights that the workflow needs: give it the ClusterRole of workflows/${workflow}/workflow.yaml`,
  Unauthorized: () => 'the server does not accept the credentials: the token is wrong, expired, or its ServiceAccount is gone',
  Unavailable: () => 'the server did not answer, so check that it is up; it is safe to run this again, nothing is done twice',
  TooManyRequests: () => 'the server is overloaded; it is safe to run this again, nothing is done twice',
};

/** Why a workflow did not do what it should, in one line, with what to do about it. */
export function adviceOn(error: unknown, workflow: string): string {
  const said = messageOf(error).replaceAll(/\s*\n\s*/g, ' ');
  const own = error instanceof Refusal || !(error instanceof PlatformError) || error.retry === 'never';
  const advice = own ? undefined : ADVICE[error.code]?.(workflow);
  return advice === undefined ? said : `${said} (${advice})`;
}
