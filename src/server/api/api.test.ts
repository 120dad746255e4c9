import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationPhase } from '../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import { HOUR, after, systemClock, toTime } from '../../base/index.ts';
import { anApproval } from '../../controllers/approval/testing/builders.ts';
import { aRequest } from '../../controllers/remediation/testing/builders.ts';
import { problemSchema } from '../contract/parts.ts';
import { routes, type RouteContract, type RouteId } from '../contract/index.ts';
import { ApiStage, SYSTEM, type Answered, type SendOptions } from '../testing/api-stage.ts';

let stage: ApiStage;
beforeAll(async () => {
  stage = await new ApiStage().open();
  await stage.putSamples();
  stage.journal.add({ at: '2026-01-01T00:00:00Z', name: 'KubePodCrashLooping', verdict: 'created', message: 'opened', remediation: 'rr' });
});
afterAll(() => stage.close());

const SAMPLE = RemediationRequest.sample.metadata.name;
const problem = Compile(problemSchema as TSchema);
const answers = new Map(Object.entries(routes).map(([id, route]) => [id, Compile(route.answer as TSchema)]));

/** The answer is what the contract of the route says, or a problem. */
function expectContract(id: string, { code, type, body }: Answered): void {
  const schema = code === 200 ? answers.get(id)! : problem;
  const [first] = schema.Errors(body);
  expect({ id, code, where: first?.instancePath, why: first?.message }).toEqual({ id, code });
  expect(type).toBe(code === 200 ? 'application/json' : 'application/problem+json');
}

const send = (path: string, options?: SendOptions) => stage.send(`/api/v1/${path}`, options);

/** A request in this phase, as Sickbay would have it. */
async function putRequest(name: string, overallPhase: RemediationPhase): Promise<void> {
  const request = aRequest({ overallPhase });
  await stage.put({ ...request, metadata: { ...request.metadata, namespace: SYSTEM, name } });
}

/** One request per route that shows what it answers; followChanges has a test of its own. */
const EXAMPLES: {
  readonly [K in Exclude<RouteId, 'followChanges'>]: { readonly path: string; readonly code?: number; readonly body?: object };
} = {
  listRemediations: { path: 'remediations?state=finished&sort=severity&limit=10' },
  getRemediation: { path: `remediations/${SAMPLE}` },
  getLogs: { path: `remediations/${SAMPLE}/logs?lines=100` },
  getMetrics: { path: `remediations/${SAMPLE}/metrics` },
  getObjects: { path: `remediations/${SAMPLE}/objects` },
  cancelRemediation: { path: `remediations/${SAMPLE}/cancel`, body: { reason: 'not needed' }, code: 409 },
  listApprovals: { path: 'approvals?state=all' },
  getApproval: { path: `approvals/${RemediationApprovalRequest.sample.metadata.name}` },
  decideApproval: {
    path: `approvals/${RemediationApprovalRequest.sample.metadata.name}/decision`,
    body: { decision: 'Rejected', reason: 'not now' },
    code: 409,
  },
  clearBlock: { path: 'blocks/clear', body: { name: 'shop/Deployment/nothing', reason: 'rolled back by hand' }, code: 404 },
  listMachines: { path: 'machines?healthy=False' },
  getMachine: { path: 'machines/default/worker-3', code: 404 },
  listMachineChecks: { path: 'machine-checks' },
  getMachineCheck: { path: 'machine-checks/default/workers', code: 404 },
  listWorkflows: { path: 'workflows' },
  getWorkflow: { path: 'workflows/raise-memory-limit' },
  listSignals: { path: 'signals?verdict=created' },
  listAudit: { path: 'audit?type=orchestrator.lifecycle.created' },
  getAuditVerification: { path: 'audit/verification' },
  getSummary: { path: 'summary' },
  getSettings: { path: 'settings' },
  getHealth: { path: 'health' },
  getSession: { path: 'session' },
};

describe('every route', () => {
  test.each(Object.entries(EXAMPLES))('%s answers what its contract says', async (id, { path, code = 200, body }) => {
    const answer = await send(path, { method: (routes as Readonly<Record<string, RouteContract>>)[id]!.method, body });
    expectContract(id, answer);
    expect(answer.code).toBe(code);
  });

  test.each(Object.entries(EXAMPLES))('%s is refused to who is not known', async (id, { path, body }) => {
    const { method } = (routes as Readonly<Record<string, RouteContract>>)[id]!;
    for (const as of ['', 'made-up']) expect(await send(path, { method, body, as })).toMatchObject({ code: 401 });
  });

  const OPEN: readonly string[] = ['getHealth', 'getSession'];
  test.each(Object.entries(EXAMPLES).filter(([id]) => !OPEN.includes(id)))(
    '%s is refused to a user without rights',
    async (id, { path, body }) => {
      const { method } = (routes as Readonly<Record<string, RouteContract>>)[id]!;
      const answer = await send(path, { method, body, as: 'stranger' });
      expect(answer).toMatchObject({ code: 403, body: { detail: expect.stringMatching(/^sam may not list /) as unknown } });
    },
  );

  test('Machines are not shown to a user who may read remediations only', async () => {
    expect(await send('remediations', { as: 'viewer' })).toMatchObject({ code: 200 });
    expect(await send('machines', { as: 'viewer' })).toMatchObject({
      code: 403,
      body: { detail: 'vera may not list machines.cluster.x-k8s.io in all namespaces' },
    });
  });
});

describe('whatever is asked', () => {
  const word = fc.oneof(
    fc.constantFrom(SAMPLE, 'all', '-created', '0', '-1', '1e9', 'null', '%00', '..', '../..', '{}', '[]', 'true', '\u202e', '💥', "'"),
    fc.string({ maxLength: 20 }),
  );
  const requests = fc.record({
    id: fc.constantFrom(...(Object.keys(EXAMPLES) as RouteId[])),
    params: fc.array(word, { minLength: 2, maxLength: 2 }),
    query: fc.array(fc.tuple(fc.nat({ max: 12 }), word), { maxLength: 3 }),
    body: fc.oneof(fc.json({ maxDepth: 3 }), fc.object({ maxDepth: 2 }), fc.constantFrom('', '{', '[]', '"x"', 'null')),
  });

  test('the answer is what the contract says, and never a failure of the server', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ id, params, query, body }) => {
        const route: RouteContract = routes[id];
        let next = 0;
        const path = route.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(params[next++] ?? 'x'));
        const names = [...Object.keys(route.query?.properties ?? {}), 'made-up'];
        const text = query.map(([at, value]) => `${names[at % names.length] ?? ''}=${encodeURIComponent(value)}`).join('&');
        const answer = await stage.send(`${path}?${text}`, { method: route.method, ...(route.body && { body }) });
        // A name of dots only is another path.
        if (answer.type !== 'text/plain; charset=utf-8') expectContract(id, answer);
        expect(answer.code).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['remediations?limit=0', 400, /limit/],
    ['remediations?limit=many', 400, /limit/],
    ['remediations?colour=red', 400, /unknown query parameter "colour": known are limit/],
    ['remediations?cursor=x', 400, /cursor/],
    ['remediations/nothing', 404, /there is no RemediationRequest nothing/],
    ['audit?type=made.up', 400, /type "made.up" is unknown/],
    ['changes?topics=weather', 400, /topic "weather" is unknown/],
    ['nothing', 404, /\/openapi.json lists/],
  ])('%s: %d', async (path, code, detail) =>
    expect(await send(path)).toMatchObject({ code, body: { detail: expect.stringMatching(detail) as unknown } }),
  );

  test('a body that is no JSON, or of another type, is refused', async () => {
    const path = `approvals/x/decision`;
    expect(await send(path, { method: 'POST', body: '{' })).toMatchObject({ code: 400, body: { detail: 'the body is not JSON' } });
    const form = await fetch(`${stage.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=Approved',
    });
    expect(form.status).toBe(415);
  });
});

describe('what people do', () => {
  const now = systemClock.now();

  test('a decision is written with the rights and the name of the caller', async () => {
    await putRequest('rr-decide', 'AwaitingApproval');
    const { spec } = anApproval();
    await stage.put({
      ...anApproval(),
      metadata: { ...anApproval().metadata, name: 'rar-decide', namespace: SYSTEM },
      spec: { ...spec, remediationRequestRef: { name: 'rr-decide' }, requiredBy: toTime(after(now, HOUR)) },
      status: {},
    } as never);
    await expect.poll(async () => (await send('approvals/rar-decide')).code).toBe(200);
    const decision = { method: 'POST', body: { decision: 'Rejected', reason: 'not now' } };
    const refused = await send('approvals/rar-decide/decision', { ...decision, as: 'viewer' });
    expect(refused).toMatchObject({ code: 403 });
    const stale = await send('approvals/rar-decide/decision', { method: 'POST', body: { decision: 'Approved', planDigest: 'sha256:0' } });
    expect(stale).toMatchObject({ code: 409, body: { detail: expect.stringContaining('no longer the one that was shown') as unknown } });
    const before = await stage.system.get(RemediationApprovalRequest, { namespace: SYSTEM, name: 'rar-decide' });
    expect(before.status?.decision).toBeFalsy();
    expect(await send('approvals/rar-decide/decision', decision)).toMatchObject({ code: 200, body: { decision: 'Rejected', by: 'admin' } });
    const { status } = await stage.system.get(RemediationApprovalRequest, { namespace: SYSTEM, name: 'rar-decide' });
    expect(status).toMatchObject({ decision: 'Rejected', decidedBy: 'admin', decisionMessage: 'not now' });
  });

  test('a cancellation is, too', async () => {
    await putRequest('rr-cancel', 'AwaitingApproval');
    await expect.poll(async () => (await send('remediations/rr-cancel')).code).toBe(200);
    const cancel = { method: 'POST', body: { reason: 'I look into it' } };
    expect(await send('remediations/rr-cancel/cancel', { ...cancel, as: 'viewer' })).toMatchObject({ code: 403 });
    expect(await send('remediations/rr-cancel/cancel', cancel)).toMatchObject({ code: 200, body: { name: 'rr-cancel', by: 'admin' } });
    const { metadata } = await stage.system.get(RemediationRequest, { namespace: SYSTEM, name: 'rr-cancel' });
    expect(metadata.annotations).toMatchObject({ [ANNOTATIONS.cancel]: 'I look into it', [ANNOTATIONS.cancelBy]: 'admin' });
    expect(await send('remediations/rr-cancel/cancel', cancel)).toMatchObject({
      code: 409,
      body: { detail: 'admin cancelled rr-cancel already' },
    });
  });
});

describe('changes', () => {
  /** Reads events of a stream until one of them fits. */
  async function eventsUntil(path: string, isLast: (event: string) => boolean, headers = {}): Promise<readonly string[]> {
    const response = await fetch(`${stage.url}/api/v1/${path}`, { headers: { authorization: 'Bearer admin', ...headers } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const events: string[] = [];
    for (let text = '', read = await reader.read(); !read.done; read = await reader.read()) {
      const parts = (text + read.value).split('\n\n');
      text = parts.pop() ?? '';
      const last = parts.findIndex(isLast);
      events.push(...parts.slice(0, last < 0 ? parts.length : last + 1));
      if (last < 0) continue;
      await reader.cancel();
      return events;
    }
    throw new Error('the stream ended');
  }

  const idOf = (event: string): string => /^id: (\S+)$/m.exec(event)?.[1] ?? '';
  const dataOf = (event: string) => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '') as Record<string, never>;

  test('come in their last state, and a client that returns gets what it missed', async () => {
    const following = eventsUntil('changes', (event) => event.includes('"rr-live"') && event.includes('Analyzing'));
    await systemClock.waitUntil(after(systemClock.now(), 300), new AbortController().signal);
    await putRequest('rr-live', 'Analyzing');
    const [hello = '', ...events] = await following;
    expect(hello).toContain('event: hello');
    const last = dataOf(events.at(-1)!);
    expect(last).toMatchObject({ topic: 'remediations', name: 'rr-live', op: 'put', remediation: { phase: 'Analyzing' } });
    const missed = await eventsUntil('changes', (event) => event.includes('"rr-live"'), { 'last-event-id': idOf(hello) });
    expect(dataOf(missed.at(-1)!)).toEqual(last);
    await stage.system.delete(RemediationRequest, { namespace: SYSTEM, name: 'rr-live' });
    const gone = await eventsUntil('changes', (event) => event.includes('"delete"'), { 'last-event-id': idOf(hello) });
    expect(dataOf(gone.at(-1)!)).toEqual({ topic: 'remediations', name: 'rr-live', op: 'delete' });
  });

  test('of another process are not continued: the client reads its lists again', async () => {
    const [first = ''] = await eventsUntil('changes?lastEventId=other.17', () => true);
    expect(first).toContain('event: reset');
  });

  test('of topics that the user may not read are refused, or left out', async () => {
    expect(await send('changes?topics=machines', { as: 'viewer' })).toMatchObject({ code: 403 });
    expect(await send('changes', { as: 'stranger' })).toMatchObject({ code: 403 });
  });
});

test('the pages of a list hold every item once', async () => {
  const first = await send('remediations?limit=1');
  const { items, next, total } = first.body as { items: readonly { name: string }[]; next: string; total: number };
  const rest: string[] = items.map(({ name }) => name);
  for (let cursor: string | undefined = next; cursor !== undefined;) {
    const { body } = await send(`remediations?limit=1&cursor=${cursor}`);
    const page = body as { items: readonly { name: string }[]; next?: string };
    rest.push(...page.items.map(({ name }) => name));
    cursor = page.next;
  }
  expect(rest).toHaveLength(total);
  expect(new Set(rest).size).toBe(total);
});
