import { defineConfig } from 'vitest/config';
import { clusterLane, controlPlaneLane, monitoringLane, redfishLane, tektonLane } from './src/testkit/lane.ts';
import { recorder } from './scripts/test-run/recorder.ts';
import { RECORD_SETTING } from './scripts/test-run/record.ts';

const REAL = '**/*.real.test.ts';
const CLUSTER = '**/*.cluster.test.ts';
const MONITORING = '**/*.monitoring.test.ts';
const REDFISH = '**/*.redfish.test.ts';
const TEKTON = '**/*.tekton.test.ts';
const MINUTE_MS = 60_000;

/** Nothing is judged by how long it takes, and machines are busy: only what hangs is ended. */
const patience = { testTimeout: MINUTE_MS, hookTimeout: MINUTE_MS };

/** Files of a lane share one server, so they run one after the other, and after the unit tests. */
const laneOptions = { fileParallelism: false, ...patience };

const record = process.env[RECORD_SETTING];

export default defineConfig({
  test: {
    reporters: record ? ['default', recorder(record)] : ['default'],
    exclude: ['**/node_modules/**', '**/.stryker-*/**'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,test,scripts,workflows}/**/*.test.ts'],
          exclude: [REAL, CLUSTER, TEKTON, MONITORING, REDFISH],
          // By itself the runner keeps one core free; on two, that is half of the machine.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
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
      { test: { name: clusterLane.name, include: [`{src,test,workflows}/${CLUSTER}`], sequence: { groupOrder: 2 }, ...laneOptions } },
      { test: { name: tektonLane.name, include: [`test/${TEKTON}`], sequence: { groupOrder: 3 }, ...laneOptions } },
    ],
  },
});
