import { describe, expect, test } from 'vitest';
import { toTime } from '../../base/index.ts';
import type { DeploymentEvidence, Revision } from '../evidence.ts';
import { aCrashingPod, aPod, aRevision, evidenceOf, minutesAgo, NOW, TARGET } from '../testing/a-deployment.ts';
import { releaseNeverReady } from './release-never-ready.ts';

const NOT_FOUND = 'rpc error: code = NotFound desc = failed to pull and unpack image "registry/shop:3": not found';
const pulling = (message = NOT_FOUND, reason = 'ImagePullBackOff') => aPod('p1', { state: { waiting: { reason, message } } });
const serving = aRevision(2, [aPod('g1'), aPod('g2')], { created: 24 * 60 });
const judge = (pods: Revision['pods'], earlier: readonly Revision[] = [serving], more: Partial<DeploymentEvidence> = {}) =>
  releaseNeverReady({ ...evidenceOf([aRevision(3, pods), ...earlier]), ...more }, NOW);

describe('an image that cannot be pulled', () => {
  test('is rolled back to the revision that serves', () =>
    expect(judge([pulling()])).toEqual({
      kind: 'Diagnosed',
      fault: 'ImageCannotBePulled',
      cause: `revision 3 of Deployment shop/checkout, rolled out at 03:01 UTC, cannot pull its image shop:3 (${NOT_FOUND})`,
      actionType: 'RollbackDeployment',
      target: TARGET,
      parameters: { REVISION: '2' },
      confidence: 0.9,
      evidence: ['0 of 1 pods of revision 3 are ready since it was rolled out at 03:01 UTC', 'revision 2 still serves with 2 ready pods'],
    }));

  test.each(['ErrImagePull', 'InvalidImageName', 'ErrImageNeverPull'])('shows as %s too', (reason) =>
    expect(judge([pulling('', reason)])?.kind).toBe('Diagnosed'),
  );

  test.each([
    ['401 Unauthorized', 'the credentials are at fault'],
    ['pull access denied', 'the credentials are at fault'],
    ['dial tcp 192.0.2.9:443: connect: connection refused', 'the registry is at fault'],
    ['context deadline exceeded', 'the registry is at fault'],
    ['toomanyrequests: rate limit', 'the registry is at fault'],
    ['x509: certificate has expired', 'the registry is at fault'],
  ])('with %s is left to a person: %s', (message) => expect(judge([pulling(message)])).toBeUndefined());

  test('a name of an image that sounds like a failure does not mislead', () =>
    expect(judge([pulling('failed to resolve reference "registry/timeout-denied:404": not found')])?.kind).toBe('Diagnosed'));

  test.each<[string, ReturnType<typeof judge>]>([
    ['the revision before uses the same image', judge([pulling()], [aRevision(2, [aPod('g1')], { created: 90, image: 'shop:3' })])],
    ['no earlier revision serves', judge([pulling()], [aRevision(2, [], { created: 90 })])],
    ['there is no earlier revision', judge([pulling()], [])],
    ['one pod of the revision is ready', judge([pulling(), aPod('p2')])],
    ['one pod waits for something else', judge([pulling(), aPod('p2', { state: { waiting: { reason: 'ContainerCreating' } } })])],
    ['a pod crashes: that is another rule', judge([aCrashingPod('p1')])],
    ['it has no pods', judge([])],
  ])('is left alone where %s', (_, diagnosis) => expect(diagnosis).toBeUndefined());

  test('is waited for in the first minute, and no longer suspected after an hour', () => {
    const created = (minutes: number) =>
      releaseNeverReady(evidenceOf([aRevision(3, [pulling()], { created: minutes }), serving]), NOW)?.kind;
    expect([created(0.9), created(1), created(60), created(61)]).toEqual([undefined, 'Diagnosed', 'Diagnosed', undefined]);
  });
});

describe('a release that never becomes ready', () => {
  const unready = (since = 8) =>
    aPod('p1', {
      ready: false,
      state: { running: { startedAt: toTime(minutesAgo(8)) } },
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: toTime(minutesAgo(since)) }],
    });
  const late = (reason = 'ProgressDeadlineExceeded'): Partial<DeploymentEvidence> => {
    const { deployment } = evidenceOf();
    return { deployment: { ...deployment, status: { conditions: [{ type: 'Progressing', status: 'False', reason }] } } };
  };
  const around = (readyPods: number) => ({
    around: { events: [], logs: [], claims: [], gaps: [], dependencies: [{ service: 'payments', exists: true, readyPods }] },
  });

  test('is rolled back once its progress deadline is exceeded', () =>
    expect(judge([unready()], [serving], late())).toMatchObject({
      kind: 'Diagnosed',
      fault: 'ReleaseNeverReady',
      parameters: { REVISION: '2' },
    }));
  test('is waited for until then', () => expect(judge([unready()], [serving], late('ReplicaSetUpdated'))).toBeUndefined());
  test('was ready before: then something else broke', () => expect(judge([unready(2)], [serving], late())).toBeUndefined());
  test('does not run: then it is not its probe', () =>
    expect(judge([aPod('p1', { state: {}, ready: false })], [serving], late())).toBeUndefined());
  test('calls a Service that answers', () => expect(judge([unready()], [serving], { ...late(), ...around(1) })?.kind).toBe('Diagnosed'));
  test('whose Services only it calls is rolled back', () =>
    expect(judge([unready()], [serving], { ...late(), ...around(0) })?.kind).toBe('Diagnosed'));
});
