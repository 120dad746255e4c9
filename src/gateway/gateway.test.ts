import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Pod } from '../api/builtin/index.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { after, HOUR, PlatformError, silent, toTime, type Clock, type Fields, type Logger } from '../base/index.ts';
import type { ApiRequest, Transport } from '../kube/index.ts';
import { refusal } from '../testkit/fake-client.ts';
import { fingerprintOf } from '../api/remediation-request/fingerprint.ts';
import { createGateway } from './gateway.ts';
import { add, addNode, aRig, EXECUTION, MANAGED, NAMESPACE, theRequest } from './testing/gateway-harness.ts';
import { AN_ALERT, anAlert, aWebhook } from './testing/webhook.ts';

const CHECKOUT = fingerprintOf({ namespace: 'shop', kind: 'Deployment', name: 'checkout' });
const containing = (text: string): unknown => expect.stringContaining(text);
const keyOf = (name: string) => ({ namespace: NAMESPACE, name });

/** The API, but for the requests that `instead` answers, or lets fail. */
const except = (api: Transport, instead: (request: ApiRequest) => Error | undefined): Transport => ({
  ...api,
  request(request) {
    const error = instead(request);
    return error ? Promise.reject(error) : api.request(request);
  },
});

describe('a signal', () => {
  test('[CO-001] opens one request, and the answer says which', async () => {
    const rig = await aRig();
    const reply = await rig.gateway.receive(aWebhook());
    const { metadata, spec, status } = await theRequest(rig);
    expect(reply).toEqual({
      code: 201,
      body: {
        status: 'created',
        message: `RemediationRequest ${metadata.name} created`,
        fingerprint: CHECKOUT,
        duplicate: false,
        remediationRequestName: metadata.name,
        remediationRequestNamespace: NAMESPACE,
      },
    });
    expect(metadata.name).toMatch(new RegExp(`^rr-${CHECKOUT.slice(0, 12)}-[0-9a-f]{8}$`));
    expect(spec).toMatchObject({
      severity: 'critical',
      signalType: 'alert',
      signalSource: 'prometheus',
      targetType: 'kubernetes',
      firingTime: '2026-11-15T02:59:00Z',
      receivedTime: '2026-11-15T03:00:00Z',
      signalLabels: AN_ALERT.labels,
      signalAnnotations: AN_ALERT.annotations,
    });
    expect(status).toMatchObject({ deduplication: { occurrenceCount: 1, firstSeenAt: spec.receivedTime, lastSeenAt: spec.receivedTime } });
  });

  test.each([
    ['a pod', { pod: 'checkout-1-a' }, 'shop:Deployment:checkout'],
    ['a ReplicaSet', { replicaset: 'checkout-1' }, 'shop:Deployment:checkout'],
    ['the top owner itself', { deployment: 'checkout' }, 'shop:Deployment:checkout'],
    ['another Deployment', { deployment: 'another' }, 'shop:Deployment:another'],
  ])('[CO-006] about %s carries the SHA-256 of namespace:Kind:name of the top owner', async (_, labels, text) => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook([anAlert(labels)]));
    expect((await theRequest(rig)).spec.signalFingerprint).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('[CO-005] gives it a fingerprint of 64 hex digits that cannot be changed', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    const { metadata, spec } = await theRequest(rig);
    expect(spec.signalFingerprint).toMatch(/^[0-9a-f]{64}$/);
    const patch = { type: 'merge', body: { spec: { signalFingerprint: 'f'.repeat(64) } } } as const;
    await expect(rig.client.patch(RemediationRequest, keyOf(metadata.name), patch)).rejects.toMatchObject({ code: 'Invalid' });
  });

  test('[CO-007] shares it with any other alert on pods of the same Deployment', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook([anAlert({ pod: 'checkout-1-a' })]));
    const other = anAlert({ pod: 'checkout-1-b', alertname: 'KubePodNotReady', severity: 'warning' });
    expect(await rig.gateway.receive(aWebhook([other]))).toMatchObject({ code: 202, body: { fingerprint: CHECKOUT } });
    await theRequest(rig);
  });

  test('[CO-010] names the resource that was judged, the top owner', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    const { spec } = await theRequest(rig);
    expect(spec.targetResource).toEqual({ kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' });
  });

  test('[CO-011] keeps the name of its alert', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    expect((await theRequest(rig)).spec.signalName).toBe('KubePodCrashLooping');
  });

  test('about a Node has no namespace; one with a cluster says so', async () => {
    const rig = await aRig({ clusterID: 'eu-1' });
    await addNode(rig.client, 'worker-1', MANAGED);
    await rig.gateway.receive(aWebhook([anAlert({ node: 'worker-1' })]));
    const { spec } = await theRequest(rig);
    expect(spec).toMatchObject({ targetResource: { kind: 'Node', name: 'worker-1', apiVersion: 'v1' }, clusterID: 'eu-1' });
    expect(spec.targetResource.namespace).toBeUndefined();
    expect(spec.signalFingerprint).toBe(fingerprintOf({ namespace: '', kind: 'Node', name: 'worker-1' }, 'eu-1'));
  });

  test('about a resource that does not exist opens a request as the alert names it: the pipeline ends it with a reason', async () => {
    const rig = await aRig();
    expect((await rig.gateway.receive(aWebhook([anAlert({ deployment: 'gone' })]))).code).toBe(201);
    expect((await theRequest(rig)).spec.targetResource).toMatchObject({ kind: 'Deployment', name: 'gone', namespace: 'shop' });
  });
});

describe('scope', () => {
  const cases: readonly (readonly [where: string, labels: Readonly<Record<string, string>>])[] = [
    ['a namespace without the label', { namespace: 'wild', deployment: 'checkout' }],
    ['a namespace that is not there', { namespace: 'nowhere', deployment: 'checkout' }],
    ['kube-system', { namespace: 'kube-system', deployment: 'coredns' }],
    ['kube-system itself', { namespace: 'kube-system' }],
    ['our own namespace', { namespace: NAMESPACE, deployment: 'sickbay' }],
    ['the namespace of our runs, labelled or not', { namespace: EXECUTION, job_name: 'wfe-1' }],
  ];
  test.each(cases)('%s is out of it: nothing is written, and the answer says why', async (_, labels) => {
    const rig = await aRig();
    const before = rig.api.resourceVersion;
    const reply = await rig.gateway.receive(aWebhook([anAlert(labels)]));
    expect(reply).toMatchObject({ code: 200, body: { status: 'rejected', duplicate: false, fingerprint: '' } });
    expect(reply.body['rejection']).toMatchObject({
      reason: 'unmanaged_resource',
      resource: containing(labels['namespace'] ?? ''),
    });
    expect(rig.api.resourceVersion).toBe(before);
  });

  test("is judged by the top owner's label, not by the pod's", async () => {
    const rig = await aRig();
    await add(rig.client, Pod, { namespace: 'wild', name: 'alone', labels: MANAGED });
    await rig.client.patch(
      Pod,
      { namespace: 'shop', name: 'checkout-1-a' },
      { type: 'merge', body: { metadata: { labels: { 'kubernaut.ai/managed': 'false' } } } },
    );
    expect((await rig.gateway.receive(aWebhook([anAlert({ namespace: 'wild', pod: 'alone' })]))).code).toBe(201);
    expect((await rig.gateway.receive(aWebhook([anAlert({ pod: 'checkout-1-a' })]))).code).toBe(201);
  });
});

describe('a second signal', () => {
  test('[CO-019] adds one to the count of the request that it joins, and moves lastSeenAt', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    await rig.clock.advance(60_000);
    const reply = await rig.gateway.receive(aWebhook());
    const { metadata, status } = await theRequest(rig);
    const seen = { firstSeenAt: '2026-11-15T03:00:00Z', lastSeenAt: '2026-11-15T03:01:00Z', occurrenceCount: 2 };
    expect(status?.deduplication).toMatchObject(seen);
    expect(reply).toMatchObject({
      code: 202,
      body: {
        status: 'duplicate',
        duplicate: true,
        remediationRequestName: metadata.name,
        metadata: {
          count: 2,
          firstOccurrence: seen.firstSeenAt,
          lastOccurrence: seen.lastSeenAt,
          remediationRequestRef: `${NAMESPACE}/${metadata.name}`,
        },
      },
    });
  });

  test('counts on a newer version after a conflict, and leaves the rest of the status alone', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    const { name } = (await theRequest(rig)).metadata;
    let patches = 0;
    const racing: Transport = {
      ...rig.api,
      async request(request) {
        // The orchestrator moves on between our read and our write.
        if (request.method === 'PATCH' && patches++ === 0) await rig.setStatus(name, { overallPhase: 'Pending' });
        return rig.api.request(request);
      },
    };
    expect((await rig.behind(racing).receive(aWebhook())).code).toBe(202);
    expect((await theRequest(rig)).status).toMatchObject({ overallPhase: 'Pending', deduplication: { occurrenceCount: 2 } });
    expect(patches).toBe(2);
  });

  test('is a duplicate even when it cannot be counted; that is logged', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    const lines: Fields[] = [];
    const log: Logger = { ...silent, warn: (_message, fields = {}) => void lines.push(fields) };
    const broken = except(rig.api, ({ method }) => (method === 'PATCH' ? refusal(403, 'Forbidden') : undefined));
    expect(await rig.behind(broken, { log }).receive(aWebhook())).toMatchObject({ code: 202, body: { metadata: { count: 1 } } });
    expect(lines).toMatchObject([{ signal: 'KubePodCrashLooping', error: containing('Forbidden') }]);
  });

  test('opens another request once the first is completed', async () => {
    const rig = await aRig();
    const first = await rig.gateway.receive(aWebhook());
    await rig.setStatus(String(first.body['remediationRequestName']), { overallPhase: 'Completed' });
    const second = await rig.gateway.receive(aWebhook());
    expect(second.code).toBe(201);
    expect(second.body['remediationRequestName']).not.toBe(first.body['remediationRequestName']);
    expect((await rig.gateway.receive(aWebhook())).code).toBe(202);
    expect(await rig.requests()).toHaveLength(2);
  });

  test('[CO-027, CO-028, RR-119] joins a request that an ineffective chain holds back, and opens another after 4 h', async () => {
    const rig = await aRig();
    const first = await rig.gateway.receive(aWebhook());
    await rig.setStatus(String(first.body['remediationRequestName']), {
      overallPhase: 'Blocked',
      blockReason: 'IneffectiveChain',
      blockedStartTime: toTime(rig.clock.now()),
    });
    await rig.clock.advance(4 * HOUR - 1_000);
    expect(await rig.gateway.receive(aWebhook())).toMatchObject({ code: 202, body: { status: 'duplicate' } });
    await rig.clock.advance(1_000);
    const late = await rig.gateway.receive(aWebhook());
    expect(late).toMatchObject({ code: 201, body: { status: 'created' } });
    expect(late.body['remediationRequestName']).not.toBe(first.body['remediationRequestName']);
    expect(await rig.gateway.receive(aWebhook())).toMatchObject({
      code: 202,
      body: { status: 'duplicate', remediationRequestName: late.body['remediationRequestName'] },
    });
  });

  test('joins a request that a person refused, although it has ended, until the same may be proposed again', async () => {
    const rig = await aRig();
    const first = await rig.gateway.receive(aWebhook());
    const until = toTime(after(rig.clock.now(), 4 * HOUR));
    const name = String(first.body['remediationRequestName']);
    await rig.setStatus(name, { overallPhase: 'Failed', failurePhase: 'Approval', refusal: { by: 'alex', until } });
    const message = `alex refused RemediationRequest ${name}: the same is not proposed again before ${until}, unless the spec of the target changes`;
    await rig.clock.advance(4 * HOUR - 1_000);
    expect(await rig.gateway.receive(aWebhook())).toMatchObject({
      code: 202,
      body: { status: 'duplicate', duplicate: true, remediationRequestName: name, message, metadata: { count: 2 } },
    });
    const other = await rig.gateway.receive(aWebhook([anAlert({ alertname: 'KubeDeploymentRolloutStuck' })]));
    expect(other).toMatchObject({ code: 201, body: { status: 'created' } });
    await rig.setStatus(String(other.body['remediationRequestName']), { overallPhase: 'Completed' });
    await rig.clock.advance(1_000);
    expect((await rig.gateway.receive(aWebhook())).code).toBe(201);
  });

  test('[RR-164, RR-165] is suppressed until nextAllowedExecution of a request that needed no action, and only for its fingerprint', async () => {
    const rig = await aRig();
    const first = await rig.gateway.receive(aWebhook());
    const until = toTime(after(rig.clock.now(), 24 * HOUR));
    await rig.setStatus(String(first.body['remediationRequestName']), {
      overallPhase: 'Completed',
      outcome: 'NoActionRequired',
      nextAllowedExecution: until,
    });
    await rig.clock.advance(24 * HOUR - 1_000);
    expect(await rig.gateway.receive(aWebhook())).toMatchObject({
      code: 202,
      body: { status: 'suppressed', duplicate: true, message: containing(until), metadata: { count: 2 } },
    });
    await theRequest(rig);
    expect((await rig.gateway.receive(aWebhook([anAlert({ deployment: 'another' })]))).code).toBe(201);
    await rig.clock.advance(1_000);
    expect((await rig.gateway.receive(aWebhook())).code).toBe(201);
  });
});

describe('an alert that names a cluster', () => {
  test.each([
    { ours: 'eu-1', theirs: 'us-1', says: 'this one is eu-1', reason: 'equal names in two clusters are two things' },
    {
      ours: undefined,
      theirs: 'us-1',
      says: '--cluster-name',
      reason: 'without a cluster name it is unknown whether the alert is about this cluster',
    },
  ])('$theirs at $ours is not acted on: $reason', async ({ ours, theirs, says }) => {
    const rig = await aRig(ours === undefined ? {} : { clusterID: ours });
    const before = rig.api.resourceVersion;
    const reply = await rig.gateway.receive(aWebhook([anAlert({ pod: 'checkout-1-a', cluster: theirs })]));
    expect(reply).toMatchObject({ code: 200, body: { status: 'rejected', rejection: { message: containing(says) } } });
    expect(rig.api.resourceVersion).toBe(before);
  });

  test('that is ours joins the request of one that names none', async () => {
    const rig = await aRig({ clusterID: 'eu-1' });
    await rig.gateway.receive(aWebhook([anAlert({ pod: 'checkout-1-a' })]));
    expect((await rig.gateway.receive(aWebhook([anAlert({ pod: 'checkout-1-b', cluster: 'eu-1' })]))).code).toBe(202);
  });
});

describe('an alert that outlives what it is about', () => {
  test.each([
    [{ pod: 'gone' }, 'shop:Pod:gone'],
    [{ replicaset: 'gone' }, 'shop:ReplicaSet:gone'],
    [{ job_name: 'gone' }, 'shop:Job:gone'],
  ])('%j: opens nothing, since there is nothing left to work on', async (labels, resource) => {
    const rig = await aRig();
    const before = rig.api.resourceVersion;
    const reply = await rig.gateway.receive(aWebhook([anAlert(labels)]));
    expect(reply).toMatchObject({ code: 200, body: { status: 'rejected', rejection: { reason: 'target_gone', resource } } });
    expect(rig.api.resourceVersion).toBe(before);
  });

  test('a workload that does not exist opens a request: it may have been deleted by mistake', async () =>
    expect((await (await aRig()).gateway.receive(aWebhook([anAlert({ deployment: 'gone' })]))).code).toBe(201));
});

describe('a resolved alert', () => {
  const resolved = { ...AN_ALERT, status: 'resolved' };

  test('[CO-029] never opens a request', async () => {
    const rig = await aRig();
    const before = rig.api.resourceVersion;
    expect(await rig.gateway.receive(aWebhook([resolved]))).toMatchObject({ code: 200, body: { status: 'resolved', duplicate: false } });
    expect(rig.api.resourceVersion).toBe(before);
  });

  test('[CO-030] is recorded on the active request of its fingerprint', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook([anAlert({ pod: 'checkout-1-a' }), anAlert({ pod: 'checkout-1-b' }, { fingerprint: 'abc' })]));
    await rig.clock.advance(60_000);
    const reply = await rig.gateway.receive(aWebhook([resolved]));
    const { metadata, status } = await theRequest(rig);
    expect(reply).toMatchObject({ code: 200, body: { status: 'resolved', remediationRequestName: metadata.name } });
    expect(status?.deduplication).toMatchObject({
      occurrenceCount: 2,
      alerts: [{ instance: 'abc' }, { instance: AN_ALERT.fingerprint, resolvedAt: '2026-11-15T03:01:00Z' }],
    });
    expect(status?.deduplication?.alerts?.[0]).not.toHaveProperty('resolvedAt');
  });

  test('about a pod that has gone is recorded on the request that knows the alert', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    await rig.client.delete(Pod, { namespace: 'shop', name: 'checkout-1-a' });
    const reply = await rig.gateway.receive(aWebhook([resolved]));
    const { metadata, status } = await theRequest(rig);
    expect(reply).toMatchObject({ code: 200, body: { status: 'resolved', remediationRequestName: metadata.name } });
    expect(status?.deduplication?.alerts).toMatchObject([{ instance: AN_ALERT.fingerprint, resolvedAt: '2026-11-15T03:00:00Z' }]);
  });

  test('is not recorded on a completed request', async () => {
    const rig = await aRig();
    const first = await rig.gateway.receive(aWebhook());
    const done = await rig.setStatus(String(first.body['remediationRequestName']), { overallPhase: 'Completed' });
    expect((await rig.gateway.receive(aWebhook([resolved]))).code).toBe(200);
    expect((await theRequest(rig)).metadata.resourceVersion).toBe(done.metadata.resourceVersion);
  });

  test('has to be said again when it could not be recorded', async () => {
    const rig = await aRig();
    await rig.gateway.receive(aWebhook());
    const broken = except(rig.api, ({ method }) => (method === 'PATCH' ? refusal(503, 'ServiceUnavailable') : undefined));
    expect((await rig.behind(broken).receive(aWebhook([resolved]))).code).toBe(503);
  });
});

describe('a webhook of several alerts', () => {
  test('[CO-032] gives each signal one verdict', async () => {
    const rig = await aRig();
    const done = await rig.gateway.receive(aWebhook([anAlert({ deployment: 'calm' })]));
    await rig.setStatus(String(done.body['remediationRequestName']), {
      overallPhase: 'Failed',
      nextAllowedExecution: '2026-11-15T04:00:00Z',
    });
    const alerts = [
      anAlert({ pod: 'checkout-1-a' }),
      anAlert({ pod: 'checkout-1-b' }),
      anAlert({ deployment: 'calm' }),
      anAlert({ namespace: 'wild', pod: 'x' }),
      anAlert({ job: 'kubelet' }),
      { ...AN_ALERT, status: 'resolved' },
    ];
    const reply = await rig.gateway.receive(aWebhook(alerts));
    expect(reply.code).toBe(207);
    expect(reply.body['results']).toMatchObject([
      { status: 'created', fingerprint: CHECKOUT },
      { status: 'duplicate', fingerprint: CHECKOUT },
      { status: 'suppressed' },
      { status: 'rejected', message: containing('not managed') },
      { status: 'rejected', error: containing('rejected: no target: KubePodCrashLooping') },
      { status: 'resolved', fingerprint: CHECKOUT },
    ]);
    expect(reply.body['summary']).toEqual({ total: 6, created: 1, deduplicated: 2, resolved: 1, rejected: 2, failed: 0 });
  });

  test('that are all malformed is a bad request', async () => {
    const { gateway } = await aRig();
    expect(await gateway.receive(aWebhook(['x', { ...AN_ALERT, startsAt: 'yesterday' }]))).toMatchObject({
      code: 400,
      body: { type: 'https://kubernaut.ai/problems/validation-error', status: 400, summary: { rejected: 2 } },
    });
  });

  test.each([
    ['one of which is malformed', ['x', AN_ALERT], [/^rejected: malformed/, /created$/]],
    ['none of which names an object', [anAlert({ job: 'a' }), anAlert({ job: 'b' })], [/^rejected: no target/, /^rejected: no target/]],
    ['that is malformed, or names no object', ['x', anAlert({ job: 'a' })], [/^rejected: malformed/, /^rejected: no target/]],
    ['without labels', [{ ...AN_ALERT, labels: {} }, AN_ALERT], [/^rejected: no target/, /created$/]],
  ])('[CO-032] ruling 117: %s is received: Alertmanager does not repeat it', async (_, alerts, says) => {
    const { code, body } = await (await aRig()).gateway.receive(aWebhook(alerts));
    expect(code).toBe(207);
    expect(body['results']).toMatchObject(says.map((message) => ({ message: expect.stringMatching(message) as unknown })));
  });

  test('of which one could not be received has to be sent again: the others are not affected', async () => {
    const rig = await aRig();
    const blind = except(rig.api, ({ path }) => (path.includes('/namespaces/dark/') ? refusal(403, 'Forbidden') : undefined));
    const webhook = aWebhook([anAlert({ namespace: 'dark', pod: 'x' }), anAlert({ pod: 'checkout-1-a' })]);
    expect(await rig.behind(blind).receive(webhook)).toMatchObject({
      code: 503,
      body: { results: [{ status: 'failed' }, { status: 'created' }], summary: { failed: 1, created: 1 } },
    });
    await theRequest(rig);
  });
});

describe('what cannot be read is never taken for absent', () => {
  const unreadable: readonly (readonly [what: string, path: RegExp])[] = [
    ['the pod', /\/pods\/checkout-1-a$/],
    ['its ReplicaSet', /\/replicasets\//],
    ['its Deployment', /\/deployments\//],
    ['the namespace', /\/namespaces\/shop$/],
    ['earlier requests', /\/remediationrequests$/],
  ];
  test.each(unreadable)('%s: 503, and nothing is written', async (_, path) => {
    for (const error of [refusal(403, 'Forbidden'), new PlatformError('Unavailable', 'the connection broke')]) {
      const rig = await aRig();
      const before = rig.api.resourceVersion;
      const blind = except(rig.api, (request) => (request.method === 'GET' && path.test(request.path) ? error : undefined));
      const reply = await rig.behind(blind).receive(aWebhook());
      expect(reply).toMatchObject({
        code: 503,
        body: {
          type: 'https://kubernaut.ai/problems/service-unavailable',
          title: 'Service Unavailable',
          status: 503,
          instance: '/api/v1/signals/prometheus',
        },
      });
      expect(reply.body['detail']).toContain(error.message);
      expect(rig.api.resourceVersion).toBe(before);
    }
  });

  test('nor is a kind that is not served an empty list', async () => {
    const rig = await aRig();
    const unserved = except(rig.api, ({ path }) => (path.endsWith('/remediationrequests') ? refusal(404, 'NotFound') : undefined));
    expect((await rig.behind(unserved).receive(aWebhook())).code).toBe(503);
  });
});

describe('opening a request', () => {
  test('whose reply was lost: 503, and the next attempt finds it', async () => {
    const rig = await aRig();
    const lossy: Transport = {
      ...rig.api,
      async request(request) {
        const answer = await rig.api.request(request);
        if (request.method === 'POST') throw new PlatformError('Unavailable', 'the connection broke');
        return answer;
      },
    };
    expect((await rig.behind(lossy).receive(aWebhook())).code).toBe(503);
    expect((await rig.gateway.receive(aWebhook())).code).toBe(202);
    expect((await theRequest(rig)).status?.deduplication?.occurrenceCount).toBe(2);
  });

  test('[CO-020] twice at the same moment opens one', async () => {
    const rig = await aRig();
    const replies = await Promise.all([rig.gateway.receive(aWebhook()), rig.behind(rig.api).receive(aWebhook())]);
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([201, 202]));
    expect((await theRequest(rig)).status?.deduplication?.occurrenceCount).toBe(2);
  });

  test('after a list that is long out of date does not join a request that is over', async () => {
    const rig = await aRig();
    let lists = 0;
    const late: Transport = {
      ...rig.api,
      async request(request) {
        const answer = await rig.api.request(request);
        if (!request.path.endsWith('/remediationrequests') || request.method !== 'GET' || lists++ > 0) return answer;
        const first = await rig.gateway.receive(aWebhook());
        await rig.setStatus(String(first.body['remediationRequestName']), { overallPhase: 'Completed' });
        return answer;
      },
    };
    expect((await rig.behind(late).receive(aWebhook())).code).toBe(201);
    expect(await rig.requests()).toHaveLength(2);
  });

  test('whose name another object already has is deferred', async () => {
    const rig = await aRig();
    const first = await rig.gateway.receive(aWebhook());
    const { name } = (await theRequest(rig)).metadata;
    await rig.client.delete(RemediationRequest, keyOf(name));
    const { spec } = RemediationRequest.sample as unknown as { readonly spec: RemediationRequest['spec'] };
    await rig.client.create(RemediationRequest, {
      apiVersion: 'kubernaut.ai/v1alpha1',
      kind: 'RemediationRequest',
      metadata: keyOf(name),
      spec,
    });
    expect(first.code).toBe(201);
    expect((await rig.gateway.receive(aWebhook())).code).toBe(503);
  });

  test('that the server finds invalid is rejected, and received: to send it again would change nothing', async () => {
    const rig = await aRig();
    const reply = await rig.gateway.receive(aWebhook([anAlert({ pod: 'checkout-1-a', severity: 'x'.repeat(51) })]));
    expect(reply).toMatchObject({ code: 202, body: { status: 'rejected', message: containing('spec.severity') } });
  });

  test('that the server forbids is deferred: the rights have to be fixed', async () => {
    const rig = await aRig();
    const forbidding = except(rig.api, ({ method }) => (method === 'POST' ? refusal(403, 'Forbidden') : undefined));
    expect((await rig.behind(forbidding).receive(aWebhook())).code).toBe(503);
  });
});

describe('the limit of open requests', () => {
  test('is kept within one webhook and over several, and does not concern duplicates', async () => {
    const rig = await aRig({ maxOpen: 2 });
    const alerts = ['a', 'b', 'c'].map((deployment) => anAlert({ deployment }));
    const reply = await rig.gateway.receive(aWebhook(alerts));
    expect(reply).toMatchObject({
      code: 429,
      body: { type: 'https://kubernaut.ai/problems/too-many-requests', summary: { created: 2, failed: 1 } },
    });
    expect(reply.body['detail']).toContain('2 RemediationRequests are already open');
    expect(await rig.requests()).toHaveLength(2);
    expect((await rig.gateway.receive(aWebhook(alerts.slice(0, 1)))).code).toBe(202);
    const [done] = await rig.requests();
    await rig.setStatus(done?.metadata.name ?? '', { overallPhase: 'Failed' });
    expect((await rig.gateway.receive(aWebhook(alerts.slice(2)))).code).toBe(201);
  });

  test('is 1,000 by default', async () => {
    const rig = await aRig();
    const items = Array.from({ length: 1_000 }, (_, i) => ({ metadata: { name: `rr-${i}` }, spec: {} }));
    const full: Transport = {
      ...rig.api,
      request: (request) =>
        request.path.endsWith('/remediationrequests') && request.query?.['fieldSelector'] === undefined
          ? Promise.resolve({ code: 200, body: { metadata: { resourceVersion: '1' }, items } })
          : rig.api.request(request),
    };
    expect((await rig.behind(full).receive(aWebhook())).code).toBe(429);
    expect(items.pop()).toBeDefined();
    expect((await rig.behind(full).receive(aWebhook())).code).toBe(201);
  });
});

describe('what goes wrong beyond that', () => {
  test('what is no webhook is a bad request', async () => {
    const { gateway } = await aRig();
    expect(await gateway.receive({ version: '4' })).toEqual({
      code: 400,
      body: {
        type: 'https://kubernaut.ai/problems/validation-error',
        title: 'Bad Request',
        detail: 'alerts is not a list with at least one alert',
        status: 400,
        instance: '/api/v1/signals/prometheus',
      },
    });
  });

  test('a bug in handling one alert does not affect the others', async () => {
    const rig = await aRig();
    let asked = 0;
    const now = () => {
      if (asked++ === 1) throw new TypeError('a mistake');
      return rig.clock.now();
    };
    const clock: Clock = { now, waitUntil: (at, signal) => rig.clock.waitUntil(at, signal) };
    const gateway = createGateway({ client: rig.client, clock, log: silent, namespace: NAMESPACE, executionNamespace: EXECUTION });
    expect(await gateway.receive(aWebhook([anAlert({ deployment: 'a' }), anAlert({ deployment: 'b' })]))).toMatchObject({
      code: 500,
      body: { detail: 'receiving KubePodCrashLooping: a mistake', results: [{ status: 'failed' }, { status: 'created' }] },
    });
  });

  test('alerts that were cut off are logged', async () => {
    const rig = await aRig();
    const lines: string[] = [];
    const log: Logger = { ...silent, warn: (message) => void lines.push(message) };
    await rig.behind(rig.api, { log }).receive(aWebhook([AN_ALERT], { truncatedAlerts: 5 }));
    expect(lines).toEqual([containing('max_alerts')]);
  });
});
