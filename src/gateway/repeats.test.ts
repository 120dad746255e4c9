import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { silent, type Fields, type Logger } from '../base/index.ts';
import type { ApiRequest, Transport } from '../kube/index.ts';
import { aRig, theRequest, type Rig } from './testing/gateway-harness.ts';
import { anAlert, aWebhook } from './testing/webhook.ts';

/** The API, and the requests that were made of it. */
function watched({ api }: Rig): { readonly transport: Transport; readonly asked: string[] } {
  const asked: string[] = [];
  const transport: Transport = {
    ...api,
    request(request: ApiRequest) {
      asked.push(`${request.method} ${request.path.split('/').at(-1)}`);
      return api.request(request);
    },
  };
  return { transport, asked };
}

const hundred = (): readonly object[] =>
  Array.from({ length: 100 }, (_, i) => anAlert({ pod: `checkout-1-${i % 2 ? 'a' : 'b'}` }, { fingerprint: `f${i}` }));

describe('a webhook of many alerts', () => {
  test('about one target reads each object once, the target with its pods once more when it opens a request, and counts every alert', async () => {
    const rig = await aRig();
    const { transport, asked } = watched(rig);
    expect((await rig.behind(transport).receive(aWebhook(hundred()))).code).toBe(207);
    expect((await theRequest(rig)).status?.deduplication?.occurrenceCount).toBe(100);
    expect(asked.filter((ask) => ask.startsWith('GET')).toSorted()).toEqual([
      'GET checkout',
      'GET checkout',
      'GET checkout-1',
      'GET checkout-1-a',
      'GET checkout-1-b',
      'GET pods',
      'GET remediationrequests',
      'GET remediationrequests',
      'GET shop',
    ]);
  });

  test('is one line in the log, with how many got which verdict', async () => {
    const rig = await aRig();
    const lines: [string, Fields][] = [];
    const log: Logger = { ...silent, info: (line, fields = {}) => void lines.push([line, fields]) };
    await rig.behind(rig.api, { log }).receive(aWebhook([...hundred(), anAlert({ pod: 'A' })]));
    const { name } = (await theRequest(rig)).metadata;
    expect(lines).toEqual([
      [
        'alerts received',
        { alerts: 101, created: 1, duplicate: 99, rejected: 1, opened: [name], why: [expect.stringContaining('no target')] },
      ],
    ]);
  });

  test('that the limit refuses is one line as well', async () => {
    const rig = await aRig();
    const lines: [string, Fields][] = [];
    const log: Logger = { ...silent, warn: (line, fields = {}) => void lines.push([line, fields]) };
    const alerts = Array.from({ length: 50 }, (_, i) => anAlert({ deployment: `d-${i}` }));
    expect((await rig.behind(rig.api, { log, maxOpen: 3 }).receive(aWebhook(alerts))).code).toBe(429);
    expect(lines).toMatchObject([['alerts put off', { alerts: 50, created: 3, 'put-off': 47 }]]);
  });
});

describe('a repeat of an alert whose request is cached', () => {
  const repeat = async (cached: (request: RemediationRequest) => RemediationRequest, change?: (rig: Rig) => Promise<unknown>) => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    const known = cached(await theRequest(rig));
    await change?.(rig);
    const { transport, asked } = watched(rig);
    const reply = await rig.behind(transport, { cached: () => [known] }).receive(aWebhook());
    return { rig, reply, asked };
  };

  test('is joined without a list', async () => {
    const { rig, reply, asked } = await repeat((request) => request);
    expect(reply).toMatchObject({ code: 202, body: { metadata: { count: 2 } } });
    expect(asked).not.toContain('GET remediationrequests');
    expect((await theRequest(rig)).status?.deduplication?.occurrenceCount).toBe(2);
  });

  test('is decided on by a live read where the cached one has changed since', async () => {
    const { rig, reply, asked } = await repeat(
      (request) => request,
      async (rig) => rig.setStatus((await theRequest(rig)).metadata.name, { overallPhase: 'Completed' }),
    );
    expect(asked).toContain('GET remediationrequests');
    expect(reply.code).toBe(201);
    expect(await rig.requests()).toHaveLength(2);
  });

  test('is not joined to one that has ended', async () => {
    const { reply } = await repeat(
      (request) => ({ ...request, status: { ...request.status, overallPhase: 'Completed' } }),
      async (rig) => rig.setStatus((await theRequest(rig)).metadata.name, { overallPhase: 'Completed' }),
    );
    expect(reply.code).toBe(201);
  });
});
