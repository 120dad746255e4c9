import type { Random } from '../../base/index.ts';
import type { AwxSend } from '../../controllers/execution/index.ts';
import type { ApiRequest, ApiResponse } from '../../kube/client/transport.ts';
import type { Neighbour, ReplicaEnv } from '../../simulation/index.ts';
import type { FakeAwx } from './fake-awx.ts';

const PREFIX = '/awx';

interface Envelope {
  readonly token: string;
  readonly body?: unknown;
}

/** Whether what a request says, for the log, is said to AWX. */
export const isAwxCall = (text: string): boolean => text.includes(` ${PREFIX}/`);

/** What a process sends to AWX goes over the simulated network, like everything else, and meets the same faults there. */
export const simulatedAwx =
  ({ transport }: Pick<ReplicaEnv, 'transport'>): AwxSend =>
  async ({ method, path, query, token, body }) => {
    const envelope: Envelope = { token, ...(body === undefined ? {} : { body }) };
    const answer = await transport.request({ method, path: PREFIX + path, ...(query ? { query } : {}), body: envelope });
    return { code: answer.code, text: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '') };
  };

/** Bad days: now and then AWX, or what stands before it, answers something else. Writes are refused only before they are done. */
export interface Weather {
  readonly random: Random;
  readonly rate: number;
  readonly isOver: () => boolean;
}

/** AWX as a server beside the cluster's. */
export const awxNeighbour =
  (awx: FakeAwx, weather?: Weather): Neighbour =>
  (request) => {
    if (!request.path.startsWith(`${PREFIX}/`)) return undefined;
    const storm = weather && !weather.isOver() && weather.random.chance(weather.rate) ? weather.random.pick(STORMS) : undefined;
    if (storm?.when === 'before') return storm.answer;
    const answer = answerOf(awx, request);
    return storm ? storm.answer : answer;
  };

function answerOf(awx: FakeAwx, { method, path, query, body }: ApiRequest): ApiResponse {
  const { token, body: sent } = body as Envelope;
  const { code, text } = awx.handle({
    method: method as 'GET' | 'POST' | 'DELETE',
    path: path.slice(PREFIX.length),
    token,
    ...(query ? { query } : {}),
    ...(sent === undefined ? {} : { body: sent }),
  });
  return { code, body: text };
}

const STORMS: readonly { readonly when: 'before' | 'after'; readonly answer: ApiResponse }[] = [
  { when: 'before', answer: { code: 401, body: '{"detail":"Invalid token."}' } },
  { when: 'before', answer: { code: 403, body: '{"detail":"You do not have permission to perform this action."}' } },
  { when: 'before', answer: { code: 404, body: '<html>no such site</html>' } },
  { when: 'before', answer: { code: 409, body: '{"error":"Resource is being used by running jobs."}' } },
  { when: 'before', answer: { code: 503, body: '<html>down for maintenance</html>' } },
  { when: 'after', answer: { code: 502, body: '<html>bad gateway</html>' } },
  { when: 'after', answer: { code: 200, body: 'garbage' } },
  { when: 'after', answer: { code: 201, body: '[]' } },
];
