import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { browserLane, clusterLane, controlPlaneLane, monitoringLane, postgresLane, redfishLane, tektonLane } from './src/testkit/lane.ts';
import { LongestFirst } from './scripts/test-run/longest-first.ts';
import { recorder } from './scripts/test-run/recorder.ts';
import { RECORD_SETTING } from './scripts/test-run/record.ts';

const REAL = '**/*.real.test.ts';
const CLUSTER = '**/*.cluster.test.ts';
const MONITORING = '**/*.monitoring.test.ts';
const REDFISH = '**/*.redfish.test.ts';
const POSTGRES = '**/*.postgres.test.ts';
const TEKTON = '**/*.tekton.test.ts';
const BROWSER = '**/*.browser.test.ts';
const MINUTE_MS = 60_000;

/** No test judges how long something takes, and machines are busy: only a test that hangs is ended. */
const timeouts = { testTimeout: MINUTE_MS, hookTimeout: MINUTE_MS };

/**
 * Files of the unit tests share one module registry per worker: a worker per file costs twice as much time. A test must therefore leave no
 * global state, timer or server for the next file.
 */
const unitOptions = {
  isolate: false,
  // Some tests mostly wait for processes that they started: with one worker more than cores, no core is idle meanwhile.
  maxWorkers: availableParallelism() + 1,
  sequence: { groupOrder: 0 },
  ...timeouts,
};

/** Files of a lane share one server, so they run one after the other. A whole `npm test` runs lanes beside the unit tests (scripts/test-run/tracks.ts). */
const laneOptions = { fileParallelism: false, ...timeouts };

/** Tests of the API server that also run on a storage that answers later, not only on the one in memory. */
const ON_SQLITE = ['accounts/accounts', 'garbage/garbage-collector', 'kinds/crd', 'routes/remove', 'routes/update', 'watch/watch'].map(
  (name) => `src/apiserver/${name}.test.ts`,
);

const record = process.env[RECORD_SETTING];

export default defineConfig({
  test: {
    reporters: record ? ['default', recorder(record)] : ['default'],
    sequence: { sequencer: LongestFirst },
    exclude: ['**/node_modules/**', '**/.stryker-*/**'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,test,scripts,workflows,console}/**/*.test.ts'],
          exclude: [REAL, CLUSTER, TEKTON, MONITORING, REDFISH, POSTGRES, BROWSER],
          ...unitOptions,
        },
      },
      { test: { name: 'unit on SQLite', include: ON_SQLITE, env: { SICKBAY_TEST_STORAGE: 'sqlite' }, ...unitOptions } },
      {
        test: {
          name: controlPlaneLane.name,
          include: [`{src,test,workflows}/${REAL}`],
          globalSetup: ['./test/control-plane.setup.ts'],
          sequence: { groupOrder: 1 },
          ...laneOptions,
        },
      },
      {
        test: {
          name: monitoringLane.name,
          include: [`{src,test}/${MONITORING}`],
          sequence: { groupOrder: 1 },
          ...laneOptions,
        },
      },
      { test: { name: redfishLane.name, include: [`{src,test}/${REDFISH}`], sequence: { groupOrder: 1 }, ...laneOptions } },
      {
        test: {
          name: browserLane.name,
          include: [`test/${BROWSER}`],
          sequence: { groupOrder: 1 },
          // A page on a busy machine takes a while to show what it was told.
          expect: { poll: { timeout: 20_000 } },
          ...laneOptions,
        },
      },
      { test: { name: postgresLane.name, include: [`src/${POSTGRES}`], sequence: { groupOrder: 1 }, ...laneOptions } },
      { test: { name: clusterLane.name, include: [`{src,test,workflows}/${CLUSTER}`], sequence: { groupOrder: 2 }, ...laneOptions } },
      { test: { name: tektonLane.name, include: [`test/${TEKTON}`], sequence: { groupOrder: 3 }, ...laneOptions } },
    ],
  },
});
