import { describe, expect, test } from 'vitest';
import type { ContainerStatus, Pod } from '../../src/api/builtin/index.ts';
import { instant, toTime } from '../../src/base/index.ts';
import { isCrashLooping } from './crash-loop.ts';

const NOW = instant(1_794_711_600_000);
const ago = (seconds: number): string => toTime(instant(NOW - seconds * 1_000));
const MINUTES = 60;

/** The container ended with this code, some seconds ago, after it had run for so long. */
const ended = (exitCode: number, { endedAgo, ranFor }: { readonly endedAgo: number; readonly ranFor: number }) => ({
  terminated: { exitCode, startedAt: ago(endedAgo + ranFor), finishedAt: ago(endedAgo) },
});

const CRASHED = ended(1, { endedAgo: 35, ranFor: 5 });
const STARTED = { running: { startedAt: ago(5) } };

const aPod = (container: Partial<ContainerStatus>, list: 'containerStatuses' | 'initContainerStatuses'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1', namespace: 'shop', uid: 'u', resourceVersion: '1', creationTimestamp: ago(3_600) },
  spec: { containers: [] },
  status: { phase: 'Running', [list]: [{ name: 'web', ready: false, restartCount: 3, ...container }] },
});

interface Row {
  readonly name: string;
  readonly container: Partial<ContainerStatus>;
  readonly loops: boolean;
}

const rows: readonly Row[] = [
  { name: 'waits for its next start', container: { restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } }, loops: true },
  { name: 'was started just now, after crashes', container: { state: STARTED, lastState: CRASHED }, loops: true },
  { name: 'is called ready at the moment, after crashes', container: { ready: true, state: STARTED, lastState: CRASHED }, loops: true },
  { name: 'has crashed and waits for nothing yet', container: { state: CRASHED, lastState: CRASHED }, loops: true },
  { name: 'crashed only twice and runs', container: { restartCount: 2, state: STARTED, lastState: CRASHED }, loops: false },
  {
    name: 'has run for ten minutes since its crashes',
    container: { state: { running: { startedAt: ago(10 * MINUTES) } }, lastState: CRASHED },
    loops: false,
  },
  {
    name: 'has run for a second less',
    container: { state: { running: { startedAt: ago(10 * MINUTES - 1) } }, lastState: CRASHED },
    loops: true,
  },
  {
    name: 'had run for ten minutes before it failed',
    container: { state: STARTED, lastState: ended(1, { endedAgo: 35, ranFor: 10 * MINUTES }) },
    loops: false,
  },
  { name: 'ended well before', container: { state: STARTED, lastState: ended(0, { endedAgo: 35, ranFor: 5 }) }, loops: false },
  { name: 'ends well now', container: { state: ended(0, { endedAgo: 1, ranFor: 5 }), lastState: CRASHED }, loops: false },
  { name: 'waits for something else', container: { state: { waiting: { reason: 'ErrImagePull' } }, lastState: CRASHED }, loops: false },
  { name: 'does not say how its last run went', container: { state: STARTED }, loops: false },
  { name: 'does not say when its last run was', container: { state: STARTED, lastState: { terminated: { exitCode: 1 } } }, loops: false },
  { name: 'does not say since when it runs', container: { state: { running: {} }, lastState: CRASHED }, loops: false },
  { name: 'says nothing of now', container: { lastState: CRASHED }, loops: false },
];

describe('a pod whose container', () => {
  test.each(rows)('$name: loops $loops', ({ container, loops }) => {
    expect(isCrashLooping(aPod(container, 'containerStatuses'), NOW)).toBe(loops);
    expect(isCrashLooping(aPod(container, 'initContainerStatuses'), NOW), 'at its start').toBe(loops);
  });

  test('is not known does not loop', () => {
    const { status: _, ...pod } = aPod({}, 'containerStatuses');
    expect(isCrashLooping(pod, NOW)).toBe(false);
  });
});
