import { describe, expect, test } from 'vitest';
import type { Container, ContainerStatus } from '../../api/builtin/index.ts';
import { aContainerStatus, at, NOW, script, timeAt } from '../testing/builders.ts';
import { programOf, type Program } from './container-program.ts';
import { nextOfContainer } from './container-timeline.ts';
import { imageProblem } from './image-problem.ts';
import { readyAt } from './readiness.ts';

const read = (container: Container): Program => programOf(container, { containers: [container] }, () => false);
const step = (container: Container, before: ContainerStatus | undefined, second: number, program = read(container)) =>
  nextOfContainer(
    {
      container,
      before,
      program,
      process: { kind: 'unknown' },
      life: 'this-life',
      restartPolicy: 'Always',
      podStartedAt: NOW,
      podText: 'web-1_default(pod-1)',
    },
    at(second),
  );

describe('memory', () => {
  const hungry = (limit?: string): Container => ({
    ...script('sleep 4; head -c 64m /dev/zero | tail | sleep 60'),
    ...(limit !== undefined && { resources: { limits: { memory: limit } } }),
  });

  test.each([
    ['below what it takes', '32Mi', { durationMs: 5_000, exitCode: 137, isOutOfMemory: true }],
    ['as much as it takes', '64Mi', { durationMs: 64_000, exitCode: 0 }],
    ['absent', undefined, { durationMs: 64_000, exitCode: 0 }],
  ])('a limit %s', (_what, limit, want) => expect(read(hungry(limit))).toEqual({ kind: 'script', ...want }));

  test('a container above its limit is OOMKilled, as on a real node', () => {
    const running = aContainerStatus({ running: { startedAt: timeAt(1) } });
    expect(step(hungry('32Mi'), running, 7).status.state?.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });
});

describe('an image', () => {
  test.each(['busybox:1.37', 'registry:5000/tool:1', 'ghcr.io/o/r@sha256:ab', 'sickbay/workflows'])('%s can be pulled', (image) =>
    expect(imageProblem(image)).toBeUndefined(),
  );
  test('below .invalid cannot, since no such host exists', () =>
    expect(imageProblem('registry.invalid/web:2')).toMatchObject({
      reason: 'ErrImagePull',
      message: expect.stringContaining('lookup registry.invalid: no such host') as string,
    }));
  test('that is no name', () => expect(imageProblem('Shop/Web:2')).toMatchObject({ reason: 'InvalidImageName' }));
});

describe('readiness', () => {
  const probed = (command: readonly string[], initialDelaySeconds = 0): Container => ({
    ...script('sleep 3600'),
    readinessProbe: { exec: { command }, initialDelaySeconds },
  });

  test('a probe that fails keeps a running container from being ready', () => {
    const { status } = step(probed(['false']), undefined, 1);
    expect(status).toMatchObject({ ready: false, started: true, state: { running: {} } });
  });

  test('one that succeeds makes it ready after its delay, and not before', () => {
    const first = step(probed(['true'], 5), undefined, 1);
    expect(first.status.ready).toBe(false);
    expect(step(probed(['true'], 5), first.status, 2)).toMatchObject({ status: { ready: false }, wakeAt: at(6) });
    expect(step(probed(['true'], 5), first.status, 6).status.ready).toBe(true);
  });

  test('one that cannot be judged is taken to succeed', () => expect(readyAt(probed(['curl', 'localhost']), at(3))).toBe(at(3)));
});

describe('a ConfigMap that changes while a container runs', () => {
  const container = script('$(START)');
  const configured = (durationMs: number, exitCode: number): Program => ({ kind: 'script', durationMs, exitCode, isConfigured: true });

  test('changes what it does only when it starts again', () => {
    const running = step(container, undefined, 1, configured(30_000, 0)).status;
    const later = step(container, running, 10, configured(1_000, 78)).status;
    expect(later.state?.running).toBeDefined();
    const over = step(container, later, 40, configured(1_000, 78)).status;
    expect(over.state?.terminated?.exitCode).toBe(0);
    const again = step(container, over, 44, configured(1_000, 78)).status;
    expect(step(container, again, 50, configured(1_000, 78)).status.state?.terminated?.exitCode).toBe(78);
  });

  test('that is gone when it starts again keeps it waiting', () => {
    const gone: Program = { kind: 'refused', reason: 'CreateContainerConfigError', message: 'configmap "x" not found' };
    const over = aContainerStatus({ terminated: { exitCode: 1, startedAt: timeAt(1), finishedAt: timeAt(2) } });
    expect(step(container, over, 9, gone).status).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CreateContainerConfigError' } },
      lastState: { terminated: { exitCode: 1 } },
    });
  });
});
