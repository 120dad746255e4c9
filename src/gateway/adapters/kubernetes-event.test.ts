import { describe, expect, test } from 'vitest';
import { Pod } from '../../api/builtin/index.ts';
import { after, MINUTE, toTime, type JsonObject } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { aRig, add, addNode, MANAGED, theRequest } from '../testing/gateway-harness.ts';
import { kubernetesEvent } from './kubernetes-event.ts';

const NOW = new ManualClock().now();

/** An Event as the kubelet records it. */
const anEvent = (more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'checkout-1-a.17f3', namespace: 'shop' },
  involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'checkout-1-a', uid: 'u-1' },
  type: 'Warning',
  reason: 'BackOff',
  message: 'Back-off restarting failed container main in pod checkout-1-a',
  firstTimestamp: toTime(after(NOW, -30 * MINUTE)),
  lastTimestamp: toTime(NOW),
  count: 7,
  reportingComponent: 'kubelet',
  ...more,
});

/** The same in the form of events.k8s.io/v1. */
const aNewEvent: JsonObject = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  regarding: { kind: 'Pod', namespace: 'shop', name: 'checkout-1-a' },
  type: 'Warning',
  reason: 'FailedScheduling',
  note: '0/3 nodes are available',
  eventTime: '2026-11-15T02:50:00.000000Z',
  series: { count: 4, lastObservedTime: '2026-11-15T02:59:30.000000Z' },
};

describe('an Event of Kubernetes', () => {
  test('[CO-004] opens a request for the workload of the pod that it is about', async () => {
    const rig = await aRig();
    expect(await rig.gateway.receive(anEvent(), kubernetesEvent)).toMatchObject({ code: 201, body: { status: 'created' } });
    expect((await theRequest(rig)).spec).toMatchObject({
      signalName: 'BackOff',
      signalSource: 'kubernetes-events',
      severity: 'warning',
      targetResource: { kind: 'Deployment', name: 'checkout', namespace: 'shop' },
      firingTime: '2026-11-15T02:30:00Z',
      signalAnnotations: { message: 'Back-off restarting failed container main in pod checkout-1-a' },
    });
  });

  test('joins the request that an alert about the workload opened', async () => {
    const rig = await aRig();
    await rig.gateway.receive(anEvent(), kubernetesEvent);
    expect(await rig.gateway.receive(aNewEvent, kubernetesEvent)).toMatchObject({ code: 202, body: { status: 'duplicate' } });
    const { status } = await theRequest(rig);
    expect(status?.deduplication).toMatchObject({ occurrenceCount: 2, alerts: [{ name: 'BackOff' }, { name: 'FailedScheduling' }] });
  });

  test('about a Node, whose Events are kept in the namespace default', async () => {
    const rig = await aRig();
    await addNode(rig.client, 'worker-1', MANAGED);
    await rig.gateway.receive(
      anEvent({ involvedObject: { kind: 'Node', name: 'worker-1', uid: 'worker-1' }, reason: 'NodeNotReady' }),
      kubernetesEvent,
    );
    expect((await theRequest(rig)).spec.targetResource).toMatchObject({ kind: 'Node', name: 'worker-1' });
  });

  test('about a kind that cannot be remediated gets a verdict, and opens nothing', async () => {
    const rig = await aRig();
    const event = anEvent({ involvedObject: { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'shop', name: 'w' } });
    const reply = await rig.gateway.receive(event, kubernetesEvent);
    expect(reply).toMatchObject({ code: 202, body: { status: 'rejected', rejection: { reason: 'no_target' } } });
    expect(await rig.requests()).toEqual([]);
  });

  test('of an object of another group with a kind of the same name names no target', () => {
    const about = { apiVersion: 'example.com/v1', kind: 'Deployment', namespace: 'shop', name: 'w' };
    expect(kubernetesEvent.read(anEvent({ involvedObject: about }), NOW)).toMatchObject({ alerts: [{ because: 'no target' }] });
  });

  test.each([
    ['a list', [], 'not a JSON object'],
    ['another kind', anEvent({ kind: 'Pod' }), 'kind is "Pod"'],
    ['a normal Event', anEvent({ type: 'Normal' }), 'type is "Normal"'],
    ['no type', anEvent({ type: undefined }), 'type is absent'],
    ['no reason', anEvent({ reason: '' }), 'reason is not'],
    ['a reason that colours terminals', anEvent({ reason: '\u001b[31mBackOff' }), 'reason is not'],
    ['a reason as long as a book', anEvent({ reason: 'x'.repeat(254) }), 'reason is not'],
    ['no object', anEvent({ involvedObject: null }), 'involvedObject must name'],
    ['an object without a name', anEvent({ involvedObject: { kind: 'Pod' } }), 'involvedObject must name'],
    ['no time', anEvent({ firstTimestamp: null, lastTimestamp: null }), 'none of lastTimestamp'],
    ['an old time', anEvent({ lastTimestamp: toTime(after(NOW, -6 * MINUTE)) }), 'older than 5 minutes'],
    ['a time to come', anEvent({ lastTimestamp: '9999-12-31T23:59:59Z' }), 'in the future'],
  ])('%s is refused, and nothing is written', async (_, body, reason) => {
    const rig = await aRig();
    const reply = await rig.gateway.receive(body, kubernetesEvent);
    expect(reply).toMatchObject({ code: 400, body: { detail: expect.stringContaining(reason) as unknown } });
    expect(await rig.requests()).toEqual([]);
  });

  test.each(['a/b', 'UPPER', '../x', 'a b', 'x'.repeat(254)])('an object named %j is malformed', async (name) => {
    const rig = await aRig();
    const reply = await rig.gateway.receive(anEvent({ involvedObject: { kind: 'Pod', namespace: 'shop', name } }), kubernetesEvent);
    expect(reply).toMatchObject({ code: 400, body: { detail: expect.stringContaining('involvedObject') as unknown } });
  });

  test('out of scope opens nothing', async () => {
    const rig = await aRig();
    await add(rig.client, Pod, { namespace: 'wild', name: 'p' });
    const reply = await rig.gateway.receive(anEvent({ involvedObject: { kind: 'Pod', namespace: 'wild', name: 'p' } }), kubernetesEvent);
    expect(reply).toMatchObject({ code: 200, body: { rejection: { reason: 'unmanaged_resource' } } });
  });
});
