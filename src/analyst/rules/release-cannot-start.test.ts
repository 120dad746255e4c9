import { describe, expect, test } from 'vitest';
import type { Event, Pod, PodSpec } from '../../api/builtin/index.ts';
import type { Revision } from '../evidence.ts';
import { aPod, aRevision, evidenceOf, NOW } from '../testing/a-deployment.ts';
import { releaseNeverReady } from './release-never-ready.ts';

type Spec = Partial<PodSpec> & { readonly env?: object; readonly envFrom?: object; readonly resources?: object };

/** A revision whose pods are made from this. */
const revision = (number: number, pods: readonly Pod[], { env, envFrom, resources, ...spec }: Spec = {}): Revision => {
  const { replicaSet, ...rest } = aRevision(number, pods, number === 2 ? { created: 24 * 60 } : {});
  const container = {
    name: 'app',
    image: `shop:${number}`,
    ...(env && { env }),
    ...(envFrom && { envFrom }),
    ...(resources && { resources }),
  };
  const template = { ...replicaSet.spec.template, spec: { ...spec, containers: [container] } as PodSpec };
  return { ...rest, replicaSet: { ...replicaSet, spec: { ...replicaSet.spec, template } } };
};

interface Case {
  readonly now?: Spec;
  readonly before?: Spec;
  readonly pods: readonly Pod[];
  readonly events?: readonly (readonly [reason: string, message: string, pod?: string])[];
  readonly serving?: readonly Pod[];
}

const judge = ({ now, before, pods, events = [], serving = [aPod('g1')] }: Case) =>
  releaseNeverReady(
    {
      ...evidenceOf([revision(3, pods, now), revision(2, serving, before)]),
      around: { events: events.map(anEvent), logs: [], claims: [], dependencies: [], gaps: [] },
    },
    NOW,
  );

const anEvent = ([reason, message, pod = 'p1']: readonly [string, string, string?]): Event =>
  ({ metadata: { name: reason }, involvedObject: { kind: 'Pod', name: pod }, type: 'Warning', reason, message }) as Event;

const refused = (message: string, name = 'p1') => aPod(name, { state: { waiting: { reason: 'CreateContainerConfigError', message } } });
const creating = (reason = 'ContainerCreating') => aPod('p1', { state: { waiting: { reason } } });
const mapKey = (name: string, key: string, optional?: boolean) => ({
  name: key,
  valueFrom: { configMapKeyRef: { name, key, ...(optional !== undefined && { optional }) } },
});
const secretKey = (name: string, key: string) => ({ name: key, valueFrom: { secretKeyRef: { name, key } } });
const mount = (volume: object): Spec => ({ volumes: [{ name: 'v', ...volume }] });

describe('a release that needs a ConfigMap or Secret that does not exist', () => {
  test('is rolled back to the revision that serves', () =>
    expect(judge({ pods: [refused('secret "token" not found')], now: { env: [secretKey('token', 'value')] } })).toMatchObject({
      kind: 'Diagnosed',
      fault: 'ReleaseMissesConfiguration',
      cause: 'revision 3 of Deployment shop/checkout, rolled out at 03:01 UTC, needs Secret token, which does not exist',
      actionType: 'RollbackDeployment',
      parameters: { REVISION: '2' },
    }));

  test.each<[string, Case, string]>([
    [
      'a key of a ConfigMap that both read',
      {
        pods: [refused("couldn't find key LIMIT in ConfigMap shop/settings")],
        now: { env: [mapKey('settings', 'MODE'), mapKey('settings', 'LIMIT')] },
        before: { env: [mapKey('settings', 'MODE')] },
      },
      'needs key LIMIT of ConfigMap settings,',
    ],
    [
      'a key of a Secret',
      { pods: [refused("couldn't find key user in Secret shop/token")], now: { env: [secretKey('token', 'user')] } },
      'needs key user of Secret token,',
    ],
    [
      'a whole ConfigMap as environment',
      { pods: [refused('configmap "flags" not found')], now: { envFrom: [{ configMapRef: { name: 'flags' } }] } },
      'needs ConfigMap flags,',
    ],
    [
      'a whole Secret as environment',
      { pods: [refused('secret "flags" not found')], now: { envFrom: [{ secretRef: { name: 'flags' } }] } },
      'needs Secret flags,',
    ],
    [
      'a mounted ConfigMap',
      {
        pods: [creating()],
        events: [['FailedMount', 'MountVolume.SetUp failed for volume "v" : configmap "rules" not found']],
        now: mount({ configMap: { name: 'rules' } }),
      },
      'needs ConfigMap rules,',
    ],
    [
      'a mounted Secret, behind init containers',
      {
        pods: [creating('PodInitializing')],
        events: [['FailedMount', 'MountVolume.SetUp failed for volume "v" : secret "tls" not found']],
        now: mount({ secret: { secretName: 'tls' } }),
      },
      'needs Secret tls,',
    ],
    [
      'a key of a mounted Secret',
      {
        pods: [creating()],
        events: [['FailedMount', 'MountVolume.SetUp failed for volume "v" : references non-existent secret key: tls.crt']],
        now: mount({ secret: { secretName: 'tls', items: [{ key: 'tls.crt', path: 'crt' }] } }),
      },
      'needs key tls.crt of Secret,',
    ],
    [
      'a key of a projected ConfigMap',
      {
        pods: [creating()],
        events: [['FailedMount', 'MountVolume.SetUp failed for volume "v" : references non-existent config key: a']],
        now: mount({ projected: { sources: [{ configMap: { name: 'rules', items: [{ key: 'a', path: 'a' }] } }] } }),
      },
      'needs key a of ConfigMap,',
    ],
    [
      'a projected Secret, after a mount that timed out',
      {
        pods: [creating()],
        events: [
          ['FailedMount', 'Unable to attach or mount volumes: unmounted volumes=[v]: timed out waiting for the condition'],
          ['FailedMount', 'MountVolume.SetUp failed for volume "v" : secret "rules" not found'],
        ],
        now: mount({ projected: { sources: [{ secret: { name: 'rules' } }] } }),
      },
      'needs Secret rules,',
    ],
  ])('recognizes %s', (_, found, text) => expect((judge(found) as { cause?: string }).cause).toContain(text));

  const token = { env: [secretKey('token', 'value')] };
  const missing = refused('secret "token" not found');
  test.each<[string, Case]>([
    ['the revision before reads it too: it was deleted', { pods: [missing], now: token, before: token }],
    ['the revision before reads another key of it', { pods: [missing], now: token, before: { env: [secretKey('token', 'user')] } }],
    ['the release does not read it', { pods: [missing] }],
    ['the release reads it only where it exists', { pods: [refused('configmap "a" not found')], now: { env: [mapKey('a', 'b', true)] } }],
    ['a ConfigMap of that name is missing, not a Secret', { pods: [refused('configmap "token" not found')], now: token }],
    ['another key is missing', { pods: [refused("couldn't find key other in Secret shop/token")], now: token }],
    [
      'a second message names what both read',
      {
        pods: [missing, refused('configmap "settings" not found', 'p2')],
        now: { env: [secretKey('token', 'value'), mapKey('settings', 'MODE')] },
        before: { env: [mapKey('settings', 'MODE')] },
      },
    ],
    ['the message is about something else', { pods: [refused('container has runAsNonRoot and image will run as root')], now: token }],
    ['no message says what is missing', { pods: [creating()], now: token }],
    ['a pod runs', { pods: [missing, aPod('p2', { ready: false, state: { running: {} } })], now: token }],
    [
      'a container of it has run before',
      { pods: [{ ...missing, ...aPod('p1', { restarts: 1, state: missing.status!.containerStatuses![0]!.state! }) }], now: token },
    ],
    ['no earlier revision serves', { pods: [missing], now: token, serving: [] }],
    [
      'the volume is attached elsewhere',
      {
        pods: [creating()],
        events: [
          ['FailedAttachVolume', 'Multi-Attach error for volume'],
          ['FailedMount', 'MountVolume.SetUp failed for volume "v" : configmap "rules" not found'],
        ],
        now: mount({ configMap: { name: 'rules' } }),
      },
    ],
    [
      'the pod gets no network',
      {
        pods: [creating()],
        events: [
          ['FailedCreatePodSandBox', 'no IP'],
          ['FailedMount', 'configmap "rules" not found'],
        ],
        now: mount({ configMap: { name: 'rules' } }),
      },
    ],
    [
      'the Event is about a pod of another revision',
      {
        pods: [creating()],
        events: [['FailedMount', 'configmap "rules" not found', 'g1']],
        now: mount({ configMap: { name: 'rules' } }),
      },
    ],
    [
      'another kind of Event says so',
      {
        pods: [creating()],
        events: [['Unhealthy', 'configmap "rules" not found']],
        now: mount({ configMap: { name: 'rules' } }),
      },
    ],
    [
      'the container waits for its image',
      {
        pods: [creating('ErrImageNeverPulled')],
        events: [['FailedMount', 'configmap "rules" not found']],
        now: mount({ configMap: { name: 'rules' } }),
      },
    ],
  ])('is left alone where %s', (_, found) => expect(judge(found)).toBeUndefined());
});

const pending = (message: string | undefined, { reason = 'Unschedulable', status = 'False' as 'False' | 'True' } = {}): Pod =>
  aPod('p1', { state: {}, conditions: [{ type: 'PodScheduled', status, reason, ...(message !== undefined && { message }) }] });
const SELECTOR = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.";
const cpu = (amount: string, more: object = {}): Spec => ({ resources: { requests: { cpu: amount }, ...more } });
const memory = (amount: string): Spec => ({ resources: { limits: { memory: amount } } });
const dedicated = { key: 'dedicated', operator: 'Exists' };

describe('a release that fits no node', () => {
  test('is rolled back to the revision that serves', () =>
    expect(judge({ pods: [pending(SELECTOR)], now: { nodeSelector: { disk: 'nvme' } } as Spec })).toMatchObject({
      kind: 'Diagnosed',
      fault: 'ReleaseFitsNoNode',
      cause: `revision 3 of Deployment shop/checkout, rolled out at 03:01 UTC, has another node selector or affinity, which fits no node (${SELECTOR})`,
      parameters: { REVISION: '2' },
    }));

  test.each<[string, Case, string]>([
    [
      'an affinity',
      { pods: [pending(SELECTOR)], now: { affinity: { nodeAffinity: {} } } as Spec },
      'has another node selector or affinity',
    ],
    [
      'an anti-affinity',
      { pods: [pending("3 node(s) didn't match pod anti-affinity rules.")], now: { affinity: { podAntiAffinity: {} } } as Spec },
      'has another affinity',
    ],
    [
      'a spread',
      { pods: [pending("3 node(s) didn't match pod topology spread constraints.")], now: { topologySpreadConstraints: [{}] } as Spec },
      'has other topology spread constraints',
    ],
    [
      'a toleration that is gone',
      { pods: [pending('3 node(s) had untolerated taint {dedicated: shop}.')], before: { tolerations: [dedicated] } },
      'has other tolerations',
    ],
    [
      'a toleration of everything that is gone',
      { pods: [pending('3 node(s) had untolerated taint {dedicated: shop}.')], before: { tolerations: [{ operator: 'Exists' }] } },
      'has other tolerations',
    ],
    ['CPU', { pods: [pending('3 Insufficient cpu.')], now: cpu('1'), before: cpu('500m') }, 'requests much more CPU'],
    ['memory', { pods: [pending('3 Insufficient memory.')], now: memory('2Gi'), before: memory('1Gi') }, 'requests much more memory'],
  ])('recognizes %s', (_, found, text) => expect((judge(found) as { cause?: string }).cause).toContain(text));

  const more = { pods: [pending('3 Insufficient cpu.')] };
  test.each<[string, Case]>([
    [
      'the revision before has the same selector',
      { pods: [pending(SELECTOR)], now: { nodeSelector: { a: 'b' } } as Spec, before: { nodeSelector: { a: 'b' } } as Spec },
    ],
    ['the scheduler names another reason', { ...more, now: { nodeSelector: { a: 'b' } } as Spec }],
    [
      'only pods that might leave are spoken of',
      { pods: [pending(`3 Insufficient pods. preemption: ${SELECTOR}`)], now: { nodeSelector: { a: 'b' } } as Spec },
    ],
    ['the requests are the same', { ...more, now: cpu('1'), before: cpu('1') }],
    ['they grew, but did not double', { ...more, now: cpu('999m'), before: cpu('500m') }],
    ['there was no request to compare with', { ...more, now: cpu('1') }],
    ['the amount cannot be read', { ...more, now: cpu('1e3'), before: cpu('1') }],
    ['memory grew, and CPU is short', { ...more, now: memory('2Gi'), before: memory('1Gi') }],
    ['a request hides a higher limit', { ...more, now: cpu('500m', { limits: { cpu: '4' } }), before: cpu('500m') }],
    [
      'the taint is another one',
      { pods: [pending('3 node(s) had untolerated taint {maintenance: true}.')], before: { tolerations: [dedicated] } },
    ],
    ['no toleration is gone', { pods: [pending('3 node(s) had untolerated taint {dedicated: shop}.')], now: { tolerations: [dedicated] } }],
    ['one pod has a node', { pods: [pending(SELECTOR), creating()], now: { nodeSelector: { a: 'b' } } as Spec }],
    [
      'the scheduler waits for a gate',
      { pods: [pending(SELECTOR, { reason: 'SchedulingGated' })], now: { nodeSelector: { a: 'b' } } as Spec },
    ],
    ['it is scheduled', { pods: [pending(SELECTOR, { status: 'True' })], now: { nodeSelector: { a: 'b' } } as Spec }],
    ['the scheduler says nothing', { pods: [pending(undefined)], now: { nodeSelector: { a: 'b' } } as Spec }],
    ['no earlier revision serves', { pods: [pending(SELECTOR)], now: { nodeSelector: { a: 'b' } } as Spec, serving: [] }],
  ])('is left alone where %s', (_, found) => expect(judge(found)).toBeUndefined());
});
