/**
 * Tests that need more than this process: a real control plane (`*.real.test.ts`) or a cluster with nodes
 * (`*.cluster.test.ts`). Where a lane is absent its tests are still collected and reported as skipped, so the closing
 * summary can name what was not proved.
 */
import { describe, inject } from 'vitest';
import { PlatformError } from '../base/index.ts';
import type { ControlPlaneAccess } from './control-plane.ts';
import { clusterLane, controlPlaneLane } from './lane.ts';
import type { Lane } from './lane.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by test/control-plane.setup.ts for files of the `control plane` project. */
    controlPlane: ControlPlaneAccess | undefined;
  }
}

/**
 * A `describe` whose tests run on the real control plane of this test run, shared by all files: make a namespace of your own.
 * @example describeOnControlPlane('watch', (plane) => test('sees a change', () => connect(plane().kubeconfig)));
 */
export function describeOnControlPlane(title: string, tests: (plane: () => ControlPlaneAccess) => void): void {
  const access = inject('controlPlane');
  if (!access && process.env[controlPlaneLane.setting]) throw misplaced(title);
  describe.skipIf(!access)(title, () => tests(() => present(access, controlPlaneLane)));
}

/** A `describe` whose tests run on a cluster with nodes that may be broken at will; the tests get its kubeconfig's path. */
export function describeOnCluster(title: string, tests: (kubeconfig: () => string) => void): void {
  const path = process.env[clusterLane.setting] || undefined;
  describe.skipIf(!path)(title, () => tests(() => present(path, clusterLane)));
}

const misplaced = (title: string): PlatformError =>
  new PlatformError('Internal', `"${title}" gets no control plane: only files named *.real.test.ts do`, { retry: 'never' });

function present<T>(value: T | undefined, lane: Lane): T {
  if (value === undefined)
    throw new PlatformError('Unavailable', `no ${lane.name}: ask for it inside a test or a hook, and set ${lane.setting}`);
  return value;
}
