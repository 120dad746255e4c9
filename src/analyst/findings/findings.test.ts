import { describe, expect, test } from 'vitest';
import type { Event } from '../../api/builtin/index.ts';
import { aCrashingPod, aPod, ended } from '../testing/a-deployment.ts';
import type { Surroundings } from '../surroundings/surroundings.ts';
import { likelyCauses } from './likely-causes.ts';
import { podFindings } from './pod-findings.ts';
import { ruledOut } from './ruled-out.ts';
import { configurationText, surroundingFindings } from './surrounding-findings.ts';

const around = (more: Partial<Surroundings> = {}): Surroundings => ({
  events: [],
  logs: [],
  claims: [],
  dependencies: [],
  gaps: [],
  ...more,
});
const unscheduled = aPod('p2', {
  state: {},
  ready: false,
  conditions: [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient memory.' },
  ],
});
const pulling = aPod('p1', { state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "shop:9"' } } });

describe('podFindings', () => {
  test('names the pod, the container, the exit code, the restarts and the last lines', () => {
    const pod = aCrashingPod('c1', { exitCode: 3 });
    const logs = [{ pod: 'c1', container: 'app', isPrevious: true, lines: ['panic: nil map'] }];
    expect(podFindings([{ ...pod, spec: { ...pod.spec, nodeName: 'worker-1' } }], around({ logs }))).toEqual([
      'pod c1 on node worker-1: container app waits (CrashLoopBackOff); it ended with exit code 3 (Error), after 5 restarts',
      'last lines of container app, run before: "panic: nil map"',
    ]);
  });
  test('quotes the kubelet and the scheduler', () =>
    expect(podFindings([pulling, unscheduled], undefined)).toEqual([
      'pod p1: container app waits (ImagePullBackOff: Back-off pulling image "shop:9")',
      'pod p2: no node takes it: Unschedulable: 0/3 nodes are available: 3 Insufficient memory.',
    ]));
  test('quotes the termination message', () => {
    const pod = aPod('p', { state: { terminated: { exitCode: 2, reason: 'Error', message: 'no such table' } }, ready: false });
    expect(podFindings([pod], undefined)[0]).toContain('container app ended with exit code 2 (Error): no such table');
  });
  test('says nothing of ready pods', () => expect(podFindings([aPod('p')], around())).toEqual([]));
  test('names three pods, and counts the others', () =>
    expect(
      podFindings(
        ['a', 'b', 'c', 'd', 'e'].map((name) => aCrashingPod(name)),
        undefined,
      ).at(-1),
    ).toBe('2 more pods are not ready'));
});

describe('surroundingFindings', () => {
  const event = (name: string, message: string): Event =>
    ({ involvedObject: { kind: 'Pod', name }, reason: 'Unhealthy', message, metadata: { name } }) as Event;
  test('tells each warning once, what is unbound, what does not answer and what could not be read', () =>
    expect(
      surroundingFindings(
        around({
          events: [event('p1', 'Readiness probe failed: 503'), event('p2', 'Readiness probe failed: 503')],
          dependencies: [
            { service: 'payments', exists: true, readyPods: 0 },
            { service: 'cart', exists: true, readyPods: 2 },
            { service: 'typo', exists: false },
          ],
          gaps: ['Events cannot be read: forbidden'],
        }),
      ),
    ).toEqual([
      'Event Unhealthy on Pod p1: Readiness probe failed: 503',
      'it calls Service payments, which has no ready pod',
      'it names typo, but there is no Service typo in the namespace',
      'Events cannot be read: forbidden',
    ]));
  test('names what the pods read when they start', () =>
    expect(
      configurationText({
        containers: [
          {
            name: 'a',
            envFrom: [{ configMapRef: { name: 'settings' } }],
            env: [{ name: 'T', valueFrom: { secretKeyRef: { name: 'token', key: 't' } } }],
          },
        ],
        volumes: [{ name: 'v', configMap: { name: 'settings' } }],
      }),
    ).toEqual(['its pods read ConfigMap settings, Secret token']));
});

describe('likelyCauses', () => {
  test.each([
    ['an image that cannot be pulled', pulling, /tag or name of the image/],
    ['a crash', aCrashingPod('c'), /the program itself fails/],
    ['a kill for memory', aCrashingPod('c', { lastState: ended(137, { reason: 'OOMKilled' }) }), /memory limit is too low/],
    ['a pod without a node', unscheduled, /no node has as much free memory/],
    ['missing configuration', aPod('p', { state: { waiting: { reason: 'CreateContainerConfigError' } } }), /ConfigMap, a Secret/],
    ['a pod that runs unready', aPod('p', { ready: false }), /still starts/],
  ])('of %s: at most three, each with a check', (_, pod, first) => {
    const causes = likelyCauses([pod]);
    expect(causes[0]?.cause).toMatch(first);
    expect(causes.length).toBeLessThanOrEqual(3);
    for (const { check } of causes) expect(check).not.toBe('');
  });
  test('of nothing: none', () => expect(likelyCauses([aPod('p')])).toEqual([]));
});

describe('ruledOut', () => {
  test('is what the evidence speaks against', () => {
    const pod = aCrashingPod('c');
    const dependencies = [{ service: 'cart', exists: true, readyPods: 2 }];
    expect(ruledOut([{ ...pod, spec: { ...pod.spec, nodeName: 'n' } }], around({ dependencies }))).toEqual([
      'scheduling: every pod has a node',
      'the images: containers of every pod have started',
      'memory: no container was killed for it',
      'the services that it names: cart have ready pods',
    ]);
  });
  test('is nothing that was not seen', () => expect(ruledOut([unscheduled], undefined)).toEqual([]));
});
