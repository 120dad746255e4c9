/**
 * Tests that need more than this process: a real control plane (`*.real.test.ts`), a cluster with nodes (`*.cluster.test.ts`), or one with
 * Tekton (`*.tekton.test.ts`). Where a lane is absent its tests are still collected and reported as skipped, so that the closing summary can name
 * what was not proved.
 */
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { MINUTE, PlatformError } from '../base/index.ts';
import { startControlPlane, type ControlPlane, type ControlPlaneAccess } from './control-plane.ts';
import { browserLane, clusterLane, controlPlaneLane, monitoringLane, postgresLane, redfishLane, tektonLane } from './lane.ts';
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

/**
 * The same on a control plane of this file alone, for tests that change the whole server: a deleted admission policy still rejects objects for
 * a moment, and would reject those of the next file.
 */
export function describeOnOwnControlPlane(title: string, tests: (plane: () => ControlPlaneAccess) => void): void {
  describeOnControlPlane(title, () => {
    let own: ControlPlane | undefined;
    beforeAll(async () => {
      own = await startControlPlane({ binaries: process.env[controlPlaneLane.setting] ?? '', controllerManager: true });
    }, 2 * MINUTE);
    afterAll(async () => await own?.stop());
    tests(() => present(own, controlPlaneLane));
  });
}

/** A `describe` whose tests run on a cluster with nodes that may be broken at will; the tests get its kubeconfig's path. */
export function describeOnCluster(title: string, tests: (kubeconfig: () => string) => void): void {
  const path = process.env[clusterLane.setting] || undefined;
  describe.skipIf(!path)(title, () => tests(() => present(path, clusterLane)));
}

/** A `describe` whose tests run on a cluster with Tekton; they get its kubeconfig's path and the registry for its bundles. */
export function describeOnTekton(title: string, tests: (cluster: () => TektonAccess) => void): void {
  const [kubeconfig, registry] = [clusterLane, tektonLane].map(({ setting }) => process.env[setting] || undefined);
  describe.skipIf(!kubeconfig || !registry)(title, () =>
    tests(() => ({ kubeconfig: present(kubeconfig, clusterLane), registry: present(registry, tektonLane) })),
  );
}

/** How a cluster with Tekton is reached. */
export interface TektonAccess {
  readonly kubeconfig: string;
  /** Host and port. */
  readonly registry: string;
}

/** A `describe` whose tests start a Prometheus and an Alertmanager of their own; they get the folder of the programs. */
export function describeWithMonitoring(title: string, tests: (binaries: () => string) => void): void {
  const folder = process.env[monitoringLane.setting] || undefined;
  describe.skipIf(!folder)(title, () => tests(() => present(folder, monitoringLane)));
}

/** A `describe` whose tests start a Redfish emulator of their own; they get the path of its program. */
export function describeWithRedfish(title: string, tests: (program: () => string) => void): void {
  const program = process.env[redfishLane.setting] || undefined;
  describe.skipIf(!program)(title, () => tests(() => present(program, redfishLane)));
}

/** A `describe` whose tests open a browser of their own; they get the path of its program. */
export function describeWithBrowser(title: string, tests: (program: () => string) => void): void {
  const program = process.env[browserLane.setting] || undefined;
  describe.skipIf(!program)(title, () => tests(() => present(program, browserLane)));
}

/** A `describe` whose tests use a PostgreSQL server; they get the address of a database of a user who may create others. */
export function describeWithPostgres(title: string, tests: (url: () => string) => void): void {
  const url = process.env[postgresLane.setting] || undefined;
  describe.skipIf(!url)(title, () => tests(() => present(url, postgresLane)));
}

const misplaced = (title: string): PlatformError =>
  new PlatformError('Internal', `"${title}" gets no control plane: only files named *.real.test.ts do`, { retry: 'never' });

function present<T>(value: T | undefined, lane: Lane): T {
  if (value === undefined)
    throw new PlatformError('Unavailable', `no ${lane.name}: ask for it inside a test or a hook, and set ${lane.setting}`);
  return value;
}
