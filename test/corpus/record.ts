import { after, SECOND, toTime } from '../../src/base/index.ts';
import type { Fault, Step } from './fault.ts';
import { createMask } from './mask.ts';
import type { Recording, Snapshot } from './recording.ts';
import { Scene, type ClusterAccess } from './scene.ts';

/** Seconds after the fault. */
const MOMENTS = [5, 30, 60, 120, 240];

/** Sets up what runs well, breaks it, and takes a snapshot at every moment. */
export async function recordFault(access: ClusterAccess, fault: Fault): Promise<Recording> {
  const scene = new Scene(access, `corpus-${fault.name}`);
  await scene.open();
  try {
    for (const manifest of fault.healthy) await scene.take({ create: manifest });
    await scene.untilCalm();
    for (const step of fault.earlier ?? []) {
      await scene.take(step);
      await scene.untilCalm();
    }
    return await breakAndWatch(scene, access, fault);
  } finally {
    await scene.close();
  }
}

/** What happens at a second: a step of the fault, or a snapshot. */
type Happening = { readonly at: number } & ({ readonly step: Step } | { readonly snapshot: true });

async function breakAndWatch(scene: Scene, { clock }: ClusterAccess, fault: Fault): Promise<Recording> {
  const mask = createMask(scene.namespace);
  const snapshots: Snapshot[] = [mask(await scene.snapshot(-1))];
  const brokenAt = clock.now();
  const happenings: readonly Happening[] = [
    ...fault.fault.map((step) => ({ at: step.at ?? 0, step })),
    ...[...MOMENTS, ...(fault.moments ?? [])].map((at) => ({ at, snapshot: true as const })),
  ];
  for (const happening of happenings.toSorted((a, b) => a.at - b.at)) {
    await clock.waitUntil(after(brokenAt, happening.at * SECOND), new AbortController().signal);
    if ('step' in happening) await scene.take(happening.step);
    else snapshots.push(mask(await scene.snapshot(happening.at)));
  }
  return { brokenAt: toTime(brokenAt), snapshots };
}
