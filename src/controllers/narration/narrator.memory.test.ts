import { describe, expect, onTestFinished, test } from 'vitest';
import { Namespace } from '../../api/builtin/index.ts';
import { keyOf } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { seededRandom, silent, toTime, turn } from '../../base/index.ts';
import { createCache, createClient, createEventRecorder } from '../../kube/index.ts';
import { EVENTS } from '../../kube/objects/events.ts';
import { openAuditLog, type AuditLog } from '../../store/index.ts';
import { anAuditPath } from '../../store/testing/an-event.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createNarrator, type Narrator } from './narrator.ts';
import { anApproval, aReference, aRequest, NAMESPACE } from './testing/builders.ts';

type Status = NonNullable<RemediationRequest['status']>;

/** Threads start slowly on a busy machine. */
const TIMEOUT_MS = 60_000;

const KEY = keyOf(aRequest());

/** A server with the real schemas, and processes that come and go on it. */
async function aWorld() {
  const clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(1) });
  const admin = createClient(api);
  for (const kind of [RemediationRequest, RemediationApprovalRequest]) await installKind(api, kind);
  await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  onTestFinished(() => void api.close());

  const begin = async (audit: AuditLog) => {
    const cache = createCache({ client: createClient(api), clock, random: seededRandom(2) });
    const events = createEventRecorder({ client: cache.client, clock, component: 'sickbay', instance: 'test', log: silent });
    const narrator = createNarrator({ cache, namespace: NAMESPACE, events, audit, steady: clock, log: silent });
    const stop = new AbortController();
    const running = Promise.all([cache.run(stop.signal).catch(() => undefined), narrator.run(stop.signal)]);
    await settle();
    return { narrator, end: async () => (stop.abort(new Error('told to stop')), await running) };
  };

  const write = async (status: Status): Promise<RemediationRequest> => {
    await admin.patchStatus(RemediationRequest, KEY, { type: 'merge', body: { status } });
    await clock.advance(1_000);
    await settle();
    return admin.get(RemediationRequest, KEY);
  };
  const { apiVersion, kind, spec } = aRequest();
  await admin.create(RemediationRequest, { apiVersion, kind, metadata: { ...KEY }, spec });
  return { clock, admin, begin, write, now: () => toTime(clock.now()) };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 30; i++) await turn();
}

/** Whether the request is recorded once the store has answered all writes. Each answer comes after those before it. */
async function comesOnRecord(narrator: Narrator, request: RemediationRequest, audit: AuditLog): Promise<boolean> {
  for (let i = 0; i < 20 && !narrator.isRecorded(request); i++) {
    await audit.find({ limit: 1 });
    await settle();
  }
  return narrator.isRecorded(request);
}

/** The audit trail as the next process that opens the file reads it. */
async function typesIn(path: string): Promise<readonly string[]> {
  const log = openAuditLog(path);
  const found = await log.find({ correlationId: KEY.name });
  await log.close();
  return found.map(({ type }) => type.replace('orchestrator.', ''));
}

/** The store of a process that dies before anything was kept. */
const neverKept: AuditLog = {
  append: () => Promise.reject(new Error('dies first')),
  find: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

describe('the story of a request on a server with the real schemas', { timeout: TIMEOUT_MS }, () => {
  test('is recorded in the audit trail and as Events, and the audit trail outlives the request', async () => {
    const { admin, begin, write, now } = await aWorld();
    const path = anAuditPath();
    const audit = openAuditLog(path);
    const { narrator, end } = await begin(audit);
    await write({ overallPhase: 'Pending', startTime: now() });
    await write({ overallPhase: 'Processing', processingStartTime: now(), signalProcessingRef: aReference('SignalProcessing', 'sp') });
    const failed = await write({ overallPhase: 'Failed', completedAt: now(), failurePhase: 'SignalProcessing', message: 'it broke' });
    expect(await comesOnRecord(narrator, failed, audit)).toBe(true);
    const events = await admin.list(EVENTS, { namespace: NAMESPACE });
    expect(events.items.map(({ reason, involvedObject }) => `${involvedObject.name} ${reason}`).toSorted()).toEqual([
      'rr-checkout RemediationCreated',
      'rr-checkout RemediationFailed',
    ]);
    await admin.delete(RemediationRequest, KEY);
    await settle();
    await end();
    await audit.close();
    expect(await typesIn(path)).toEqual([
      'lifecycle.created',
      'lifecycle.started',
      'phase.transitioned',
      'lifecycle.failed',
      'lifecycle.transitioned',
    ]);
  });

  test('a process that died between a write and its record is made up for by the next, once', async () => {
    const { admin, begin, write, now } = await aWorld();
    const path = anAuditPath();
    const first = await begin(neverKept);
    await write({ overallPhase: 'Pending', startTime: now() });
    const analyzing = await write({ overallPhase: 'Analyzing', processingStartTime: now(), analyzingStartTime: now() });
    expect(first.narrator.isRecorded(analyzing)).toBe(false);
    await first.end();
    for (let life = 0; life < 2; life++) {
      const audit = openAuditLog(path);
      const next = await begin(audit);
      const request = await admin.get(RemediationRequest, KEY);
      expect(await comesOnRecord(next.narrator, request, audit)).toBe(true);
      await next.end();
      await audit.close();
    }
    expect(await typesIn(path)).toEqual(['lifecycle.created', 'lifecycle.started', 'phase.transitioned', 'phase.transitioned']);
  });

  test('two processes that both take themselves for the leader record everything once', async () => {
    const { begin, write, now } = await aWorld();
    const path = anAuditPath();
    const audits = [openAuditLog(path), openAuditLog(path)];
    const processes = await Promise.all(audits.map(begin));
    await write({ overallPhase: 'Pending', startTime: now() });
    await write({ overallPhase: 'Cancelled', completedAt: now(), message: 'alex cancelled it' });
    await Promise.all(processes.map(({ end }) => end()));
    await Promise.all(audits.map((audit) => audit.close()));
    expect(await typesIn(path)).toEqual(['lifecycle.created', 'lifecycle.started', 'lifecycle.transitioned']);
  });

  test('a decision is recorded in the audit trail, and as an Event of the request', async () => {
    const { admin, begin, write, now } = await aWorld();
    const path = anAuditPath();
    const audit = openAuditLog(path);
    const { end } = await begin(audit);
    const request = await write({ overallPhase: 'Pending', startTime: now() });
    const { apiVersion, kind, spec, metadata } = anApproval(undefined, request);
    const { name, namespace, ownerReferences = [] } = metadata;
    await admin.create(RemediationApprovalRequest, {
      apiVersion,
      kind,
      metadata: { name, namespace: namespace ?? '', ownerReferences },
      spec,
    });
    const status = { decision: 'Approved', decidedBy: 'alex', decidedAt: now() };
    await admin.patchStatus(RemediationApprovalRequest, { namespace: NAMESPACE, name }, { type: 'merge', body: { status } });
    await settle();
    const events = await admin.list(EVENTS, { namespace: NAMESPACE });
    expect(events.items.find(({ reason }) => reason === 'ApprovalGranted')).toMatchObject({
      involvedObject: { kind: 'RemediationRequest', name: KEY.name, uid: request.metadata.uid },
      message: 'alex approved rar-rr-checkout',
    });
    await end();
    await audit.close();
    expect(await typesIn(path)).toEqual(['lifecycle.created', 'lifecycle.started', 'approval.approved']);
  });
});
