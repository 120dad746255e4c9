import { afterEach, describe, expect, test } from 'vitest';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { MINUTE, silent, toTime } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Settings } from '../../controllers/settings.ts';
import { createGateway } from '../../gateway/index.ts';
import type { KubeClient } from '../../kube/index.ts';
import { RehearsalStage } from '../testing/rehearsal-stage.ts';
import { simulateSignals } from './simulate-signals.ts';

let stage: RehearsalStage;
afterEach(() => stage.close());

const containing = (text: string): unknown => expect.stringContaining(text);

type Labels = Readonly<Record<string, string>>;

const alert = (labels: Labels, status = 'firing') => ({ status, labels, annotations: {}, startsAt: toTime(stage.clock.now()) });
const webhook = (...alerts: readonly object[]) => ({ version: '4', alerts });
const crash = (labels: Labels = {}) =>
  alert({ alertname: 'KubePodCrashLooping', severity: 'warning', namespace: 'shop', pod: 'c1', ...labels });

const simulate = (body: unknown, settings: Settings = DEFAULT_SETTINGS, client: KubeClient = stage.reader) =>
  simulateSignals({ client, clock: stage.clock, settings, signal: new AbortController().signal, body, packaged: stage.packaged });

const gateOf = (signal: Awaited<ReturnType<typeof simulate>>['signals'][number] | undefined, name: string) =>
  signal?.analysis?.gates.find((gate) => gate.name === name);

describe('a simulation', () => {
  test('takes an alert from its verdict to the plan, with target, classification and gates', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    const { signals, catalogue } = await simulate(webhook(crash()));
    expect(catalogue).toMatchObject({ source: 'package' });
    expect(signals).toMatchObject([
      {
        name: 'KubePodCrashLooping',
        verdict: 'created',
        about: { kind: 'Pod', name: 'c1' },
        target: { kind: 'Deployment', namespace: 'shop', name: 'checkout' },
        remediation: { exists: false },
        analysis: {
          would: 'RunWorkflow',
          cause: { fault: 'CrashLoopAfterRollout' },
          classification: { environment: 'Staging', severity: 'warning', priority: 'P2' },
          plan: { workflow: 'rollback-deployment', parameters: { REVISION: '2' }, approval: { required: false } },
        },
      },
    ]);
    const open = signals[0]?.analysis?.gates.filter(({ state }) => state === 'open').map(({ name }) => name);
    for (const name of ['UnmanagedResource', 'ConsecutiveFailures', 'ResourceBusy', 'IneffectiveChain', 'DryRun', 'Staleness'])
      expect(open).toContain(name);
  });

  test('writes nothing: it sends only reads, and opens no request', async () => {
    stage = await new RehearsalStage().open({ installed: true });
    await stage.put(RemediationWorkflow, aWorkflow('rollback-deployment'));
    await stage.shop();
    const { signals } = await simulate(webhook(crash(), crash({ severity: 'critical' })));
    expect(signals[0]).toMatchObject({ analysis: { would: 'RunWorkflow' } });
    expect(stage.sent.length).toBeGreaterThan(5);
    expect(stage.sent.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await stage.admin.list(RemediationRequest)).items).toEqual([]);
  });

  test('each alert has a verdict: joined, out of scope, resolved, without an object, malformed, about what is gone', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    const other = { alertname: 'A', severity: 'warning', namespace: 'kube-system', deployment: 'dns' };
    const { signals } = await simulate(
      webhook(
        crash(),
        crash({ alertname: 'B', pod: 'c2', severity: 'critical' }),
        alert(other),
        alert({ alertname: 'C', namespace: 'shop', statefulset: 'db' }, 'resolved'),
        alert({ alertname: 'D' }),
        { ...crash(), status: 'odd' },
        crash({ pod: 'gone' }),
      ),
    );
    expect(signals.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['created', containing('opens RemediationRequest rr-')],
      ['duplicate', expect.stringMatching(/^joins RemediationRequest rr-\S+, which signal 1 opens$/)],
      ['out-of-scope', containing('kube-system is never worked on')],
      ['resolved', containing('no RemediationRequest is open')],
      ['rejected', containing('no target')],
      ['rejected', containing('status must be firing or resolved')],
      ['outdated', containing('no longer exists')],
    ]);
    // The alert that joins makes the whole more urgent, as it does in a cluster.
    expect(signals[0]?.analysis?.classification).toMatchObject({ severity: 'critical' });
  });

  test('decides as the gateway of a running Sickbay does', async () => {
    stage = await new RehearsalStage().open({ installed: true });
    await stage.shop();
    const body = webhook(crash(), crash({ pod: 'c2' }), alert({ alertname: 'D' }), crash({ pod: 'gone' }));
    const { signals } = await simulate(body);
    const gateway = createGateway({ ...DEFAULT_SETTINGS, client: stage.admin, clock: stage.clock, log: silent });
    const { results } = (await gateway.receive(body)).body as { readonly results: readonly { readonly status: string }[] };
    const statuses: Readonly<Record<string, string>> = { outdated: 'rejected' };
    expect(signals.map(({ verdict }) => statuses[verdict] ?? verdict)).toEqual(results.map(({ status }) => status));
    const [opened] = (await stage.admin.list(RemediationRequest)).items;
    expect(signals[0]?.remediation?.name).toBe(opened?.metadata.name);
  });

  test('an alert about an object with an open remediation joins that one, which exists', async () => {
    stage = await new RehearsalStage().open({ installed: true });
    await stage.shop();
    const gateway = createGateway({ ...DEFAULT_SETTINGS, client: stage.admin, clock: stage.clock, log: silent });
    await gateway.receive(webhook(crash()));
    await stage.clock.advance(MINUTE);
    const { signals } = await simulate(webhook(crash()));
    expect(signals).toMatchObject([{ verdict: 'duplicate', remediation: { exists: true }, message: containing('already active') }]);
    expect(signals[0]).not.toHaveProperty('analysis');
    const [request] = (await stage.admin.list(RemediationRequest)).items;
    expect(request?.status?.deduplication?.occurrenceCount ?? 1).toBe(1);
  });

  test('a dry run shows in the gates, beside the plan that would have been run', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    const { signals } = await simulate(webhook(crash()), { ...DEFAULT_SETTINGS, dryRun: true });
    expect(gateOf(signals[0], 'DryRun')).toMatchObject({ state: 'closed', message: containing('the configuration (dryRun)') });
    expect(signals[0]).toMatchObject({ analysis: { plan: { workflow: 'rollback-deployment' } } });
  });

  test('an Event of Kubernetes is a signal too', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      type: 'Warning',
      reason: 'BackOff',
      message: 'back-off',
      lastTimestamp: toTime(stage.clock.now()),
      involvedObject: { kind: 'Pod', name: 'c1', namespace: 'shop' },
      metadata: { name: 'e', namespace: 'shop' },
    };
    expect((await simulate(event)).signals).toMatchObject([{ name: 'BackOff', verdict: 'created', target: { name: 'checkout' } }]);
  });

  test('what the gateway refuses as a whole is an error with its reason', async () => {
    stage = await new RehearsalStage().open();
    await expect(simulate({ version: '3', alerts: [] })).rejects.toThrow('the gateway refuses the body: version is "3"');
    await expect(simulate([])).rejects.toThrow('the body is not a JSON object');
  });

  test('without the right to list requests, the alert is put off, as it would be', async () => {
    stage = await new RehearsalStage().open({ installed: true });
    await stage.shop();
    const guest = await stage.guest([{ apiGroups: ['apps', ''], resources: ['deployments', 'replicasets', 'pods'] }]);
    const { signals } = await simulate(webhook(crash()), DEFAULT_SETTINGS, guest);
    expect(signals).toMatchObject([{ verdict: 'put-off', message: containing('forbidden') }]);
    expect(stage.sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
