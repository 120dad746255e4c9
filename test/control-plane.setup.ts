import type { TestProject } from 'vitest/node';
import { startControlPlane } from '../src/testkit/control-plane.ts';
import { controlPlaneLane } from '../src/testkit/lane.ts';

/** One control plane for all `*.real.test.ts` files of a run; vitest calls this only when such a file is selected. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const binaries = process.env[controlPlaneLane.setting];
  if (!binaries) {
    project.provide('controlPlane', undefined);
    return undefined;
  }
  const { stop, ...access } = await startControlPlane({ binaries, controllerManager: true });
  project.provide('controlPlane', access);
  return stop;
}
