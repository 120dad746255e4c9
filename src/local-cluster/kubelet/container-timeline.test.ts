import { describe, expect, test } from 'vitest';
import type { ContainerStatus } from '../../api/builtin/index.ts';
import { after, sameJson, SECOND, type Instant } from '../../base/index.ts';
import { aContainerStatus, at, NOW, script, timeAt } from '../testing/builders.ts';
import type { Program } from './container-program.ts';
import { isFinal, killed, nextOfContainer, type ContainerSeen } from './container-timeline.ts';
import { restartDelay } from './restart-backoff.ts';

const sleep = (seconds: number | undefined, exitCode = 0): Program => ({
  kind: 'script',
  durationMs: seconds === undefined ? undefined : seconds * SECOND,
  exitCode,
});

const seen = (before: ContainerStatus | undefined, program: Program, extra: Partial<ContainerSeen> = {}): ContainerSeen => ({
  container: script(''),
  before,
  program,
  process: { kind: 'unknown' },
  life: 'this-life',
  restartPolicy: 'Always',
  podStartedAt: NOW,
  podText: 'web-1_default(pod-1)',
  ...extra,
});

/** Lives through a container's time; tells each state that it shows, and the second it was first shown. */
function live(program: Program, seconds: number, extra: Partial<ContainerSeen> = {}): readonly string[] {
  const shown: string[] = [];
  let status: ContainerStatus | undefined;
  for (let now: Instant | undefined = NOW; now !== undefined && now <= at(seconds);) {
    const next = nextOfContainer(seen(status, program, extra), now);
    const text = stateText(next.status);
    if (!shown.at(-1)?.endsWith(` ${text}`)) shown.push(`${(now - NOW) / SECOND}s ${text}`);
    // A status that is written wakes its pod at once.
    if (sameJson(status, next.status)) now = next.wakeAt;
    status = next.status;
  }
  return shown;
}

function stateText({ state, restartCount }: ContainerStatus): string {
  const { waiting, terminated } = state ?? {};
  const what = waiting?.reason === 'CrashLoopBackOff' ? (/back-off \S+/.exec(waiting.message ?? '')?.[0] ?? '?') : waiting?.reason;
  return `${what ?? (terminated ? `${terminated.reason} ${terminated.exitCode}` : 'running')} #${restartCount}`;
}

describe('the life of a container', () => {
  test('that runs for ever', () => {
    expect(live(sleep(undefined), 1_000)).toEqual(['0s ContainerCreating #0', '1s running #0']);
  });

  test('that crashes after a second, again and again', () => {
    expect(live(sleep(1, 1), 70)).toEqual([
      '0s ContainerCreating #0',
      '1s running #0',
      '3s Error 1 #0',
      '4s running #1',
      '6s Error 1 #1',
      '7s back-off 10s #1',
      '15s running #2',
      '17s Error 1 #2',
      '18s back-off 20s #2',
      '36s running #3',
      '38s Error 1 #3',
      '39s back-off 40s #3',
    ]);
  });

  test('that crashes at once is never shown running', () => {
    expect(live(sleep(0, 3), 20)).toEqual([
      '0s ContainerCreating #0',
      '1s Error 3 #0',
      '3s Error 3 #1',
      '5s back-off 10s #1',
      '13s Error 3 #2',
      '15s back-off 20s #2',
    ]);
  });

  test('that waits longer every time, but never more than five minutes', () => {
    const delays = live(sleep(1, 1), 3_000)
      .map((line) => /back-off (\S+)/.exec(line)?.[1])
      .filter((delay) => delay !== undefined);
    expect(delays.slice(0, 8)).toEqual(['10s', '20s', '40s', '1m20s', '2m40s', '5m0s', '5m0s', '5m0s']);
  });

  test('that ran for ten minutes runs again at once', () => {
    const lines = live(sleep(600, 1), 1_900);
    expect(lines.filter((line) => line.includes('back-off'))).toEqual([]);
    expect(lines.at(-1)).toContain('#3');
  });

  test('that ends well and is not to run again', () => {
    expect(live(sleep(2), 100, { restartPolicy: 'Never' })).toEqual(['0s ContainerCreating #0', '1s running #0', '4s Completed 0 #0']);
    expect(live(sleep(2), 100, { restartPolicy: 'OnFailure' })).toHaveLength(3);
    expect(live(sleep(2, 1), 100, { restartPolicy: 'Never' }).at(-1)).toContain('Error 1 #0');
    expect(live(sleep(2, 1), 100, { restartPolicy: 'OnFailure' }).at(-1)).toContain('back-off');
  });

  test('that cannot be pulled', () => {
    const program: Program = { kind: 'refused', reason: 'ErrImagePull', message: 'not here' };
    expect(live(program, 60)).toEqual(['0s ContainerCreating #0', '1s ErrImagePull #0', '11s ImagePullBackOff #0']);
  });

  test('that cannot be configured stays so', () => {
    expect(live({ kind: 'refused', reason: 'CreateContainerConfigError', message: 'no' }, 60).at(-1)).toBe(
      '1s CreateContainerConfigError #0',
    );
  });
});

describe('a back-off', () => {
  const ended = (startedAt: number, finishedAt: number) => ({
    terminated: { exitCode: 1, startedAt: timeAt(startedAt), finishedAt: timeAt(finishedAt) },
  });
  const cases: readonly (readonly [string, ContainerStatus, number])[] = [
    ['the first time there is none', aContainerStatus(ended(0, 1)), 0],
    ['after a restart at once it is 10 s', aContainerStatus(ended(2, 3), { restartCount: 1, lastState: ended(0, 1) }), 10],
    ['it doubles', aContainerStatus(ended(50, 51), { restartCount: 4, lastState: ended(20, 30) }), 40],
    [
      'a machine that was off does not make it longer',
      aContainerStatus(ended(5_000, 5_001), { restartCount: 2, lastState: ended(0, 1) }),
      20,
    ],
    ['a run of ten minutes ends it', aContainerStatus(ended(400, 1_000), { restartCount: 9, lastState: ended(0, 100) }), 0],
    ['after that the back-off starts again', aContainerStatus(ended(1_001, 1_002), { restartCount: 10, lastState: ended(400, 1_000) }), 10],
    ['a run of a little less does not', aContainerStatus(ended(400, 999), { restartCount: 9, lastState: ended(0, 100) }), 300],
  ];
  test.each(cases)('%s', (_what, status, seconds) => {
    expect(restartDelay(status)).toBe(seconds * SECOND);
  });

  test('is announced as the real kubelet does', () => {
    const status = aContainerStatus(ended(2, 3), { restartCount: 1, lastState: ended(0, 1) });
    const { status: next, wakeAt } = nextOfContainer(seen(status, sleep(1, 1)), at(6));
    expect(next.state?.waiting).toEqual({
      reason: 'CrashLoopBackOff',
      message: 'back-off 10s restarting failed container=app pod=web-1_default(pod-1)',
    });
    expect(next.lastState).toEqual(ended(2, 3));
    expect(wakeAt).toBe(at(13));
  });
});

describe('a container that is a process', () => {
  const process: Program = { kind: 'process' };
  const ours = aContainerStatus({ running: { startedAt: timeAt(1) } }, { containerID: 'process://this-life' });

  test('is recorded as started, with the life that starts it', () => {
    const { status } = nextOfContainer(seen(undefined, process, { podStartedAt: NOW }), at(1));
    expect(status).toMatchObject({ state: { running: { startedAt: timeAt(1) } }, ready: true, containerID: 'process://this-life' });
  });

  test.each(['unknown', 'running'] as const)('is waited for while it is %s', (kind) => {
    expect(nextOfContainer(seen(ours, process, { process: { kind } }), at(9))).toEqual({ status: ours, wakeAt: at(10) });
  });

  test('ends with its exit code and its last words', () => {
    const { status, wakeAt } = nextOfContainer(
      seen(ours, process, { process: { kind: 'ended', exitCode: 2, message: 'no such thing' } }),
      at(9),
    );
    const terminated = { exitCode: 2, reason: 'Error', message: 'no such thing', startedAt: timeAt(1), finishedAt: timeAt(9) };
    expect(status).toMatchObject({ ready: false, state: { terminated } });
    expect(wakeAt).toBeUndefined();
    expect(isFinal(status, { program: process, restartPolicy: 'Always' })).toBe(true);
  });

  test('of an earlier life is lost', () => {
    const theirs = { ...ours, containerID: 'process://earlier' };
    const { status } = nextOfContainer(seen(theirs, process), at(9));
    expect(status.state?.terminated).toMatchObject({ exitCode: 137, reason: 'ContainerStatusUnknown' });
  });
});

test('what is killed ends with 137, and only if it ran', () => {
  const running = aContainerStatus({ running: { startedAt: timeAt(1) } });
  expect(killed(running, at(5)).state?.terminated).toMatchObject({ exitCode: 137, startedAt: timeAt(1), finishedAt: timeAt(5) });
  const waiting = aContainerStatus({ waiting: { reason: 'ContainerCreating' } });
  expect(killed(waiting, at(5))).toBe(waiting);
});

test('a moment before its time nothing happens', () => {
  const running = aContainerStatus({ running: { startedAt: timeAt(0) } });
  expect(nextOfContainer(seen(running, sleep(5, 1)), after(at(6), -1))).toEqual({ status: running, wakeAt: at(6) });
});
