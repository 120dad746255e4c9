/**
 * npm run e2e:day: a day of real faults on a real cluster, with a real Prometheus, Alertmanager and kube-state-metrics, each with its expected
 * end. Usage: npm run e2e:day -- [--only NAME,…] [--at-once N] [--list] [--transcript FILE]
 */
import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/index.ts';
import { clusterLane, monitoringLane } from '../../src/testkit/lane.ts';
import { Day, type DayOptions } from './day.ts';
import { FAULTS } from './faults/index.ts';
import { replayDay } from './replay.ts';
import { report } from './report.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    'at-once': { type: 'string', default: '4' },
    list: { type: 'boolean', default: false },
    transcript: { type: 'string' },
    log: { type: 'string' },
  },
});

function print(line: string): void {
  process.stdout.write(`${line}\n`);
  if (values.transcript !== undefined) appendFileSync(values.transcript, `${line}\n`);
}

/** What the environment has to name, as for the tests on a cluster. */
function optionsFromEnvironment(): DayOptions {
  const setting = (name: string): string => {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is not set: see "Tests" in README.md`);
    return value;
  };
  return {
    kubeconfig: setting(clusterLane.setting),
    workflowImage: setting('SICKBAY_TEST_WORKFLOW_IMAGE'),
    monitoring: setting(monitoringLane.setting),
    stateMetrics: setting('SICKBAY_TEST_STATE_METRICS'),
    sendsNodes: true,
    print,
  };
}

async function main(): Promise<boolean> {
  if (values.list) {
    for (const { name, expected } of FAULTS) print(`${name.padEnd(22)} ${expected}`);
    return true;
  }
  if (values.transcript !== undefined) writeFileSync(values.transcript, '');
  const wanted = values.only?.split(',');
  const faults = FAULTS.filter(({ name }) => wanted?.includes(name) ?? true);
  const day = await Day.open(optionsFromEnvironment());
  try {
    const results = await replayDay(day, faults, Number(values['at-once']));
    for (const line of report(results)) print(line);
    return results.every(({ stage }) => stage.wrongs.length === 0);
  } finally {
    if (values.log !== undefined) copyFileSync(day.log, values.log);
    await day.close();
  }
}

main().then(
  (isWell) => (process.exitCode = isWell ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`e2e:day: ${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
