import { handOver, NOTHING_TO_DO } from '../corpus-case.ts';
import { on, type Fault, type Manifest } from '../fault.ts';
import { sh } from './manifests.ts';

const pods = (container: object): object => ({
  restartPolicy: 'Never',
  terminationGracePeriodSeconds: 1,
  containers: [{ name: 'app', image: 'sickbay.test/busybox:1', ...container }],
});

const aJob = (container: object, spec: object = {}): Manifest => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'import' },
  spec: { backoffLimit: 1, template: { spec: pods(container) }, ...spec },
});

const aCronJob = (container: object, spec: object = {}): Manifest => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly' },
  spec: { schedule: '* * * * *', jobTemplate: { spec: { backoffLimit: 0, template: { spec: pods(container) } } }, ...spec },
});

const failed = { name: 'KubeJobFailed', target: on('Job', 'import', 'batch/v1') };
const nightly = on('CronJob', 'nightly', 'batch/v1');

/** Faults of Jobs and CronJobs. */
export const JOBS: readonly Fault[] = [
  {
    name: 'job-fails-until-limit',
    healthy: [],
    fault: [{ create: aJob({ command: sh('echo "no such table: orders" >&2; exit 4') }) }],
    alert: failed,
    expected: [handOver(/backoff|exit code 4|failed/i)],
  },
  {
    name: 'job-past-deadline',
    healthy: [],
    fault: [{ create: aJob({ command: sh('sleep 3600') }, { activeDeadlineSeconds: 15 }) }],
    alert: failed,
    expected: [handOver(/deadline/i)],
  },
  {
    name: 'job-image-missing',
    healthy: [],
    fault: [{ create: aJob({ image: 'sickbay.test/importer:3' }) }],
    alert: { name: 'KubeJobNotCompleted', target: on('Job', 'import', 'batch/v1') },
    expected: [handOver(/image|pull|importer:3/i)],
  },
  {
    name: 'job-succeeded-on-retry',
    healthy: [],
    fault: [
      {
        create: aJob(
          { command: sh('case $JOB_COMPLETION_INDEX in 0) exit 0;; *) sleep 5; exit 0;; esac') },
          { completionMode: 'Indexed', completions: 2, parallelism: 1 },
        ),
      },
    ],
    alert: failed,
    alertsAt: [60, 120],
    misleading: 'the Job has completed',
    expected: [NOTHING_TO_DO],
  },
  {
    name: 'cronjob-runs-fail',
    healthy: [],
    fault: [{ create: aCronJob({ command: sh('echo "backup: no space left in bucket" >&2; exit 1') }) }],
    alert: { name: 'KubeCronJobFailing', target: nightly },
    alertsAt: [120],
    expected: [handOver(/fail|exit/i)],
  },
  {
    name: 'cronjob-suspended',
    healthy: [],
    fault: [{ create: aCronJob({ command: sh('exit 0') }, { suspend: true }) }],
    alert: { name: 'CronJobDidNotRun', target: nightly },
    misleading: 'it was suspended on purpose',
    expected: [NOTHING_TO_DO, handOver(/suspend/i)],
  },
];
