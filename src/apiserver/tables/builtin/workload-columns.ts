import { parseTime, type Instant } from '../../../base/index.ts';
import type { Stored } from '../../object.ts';
import { columnsOf, type TableColumn, type Columns } from '../columns.ts';
import { humanDuration } from '../human-duration.ts';
import { ageAt, countAt, fieldAt, hasCondition, mapAt, objectsAt, textAt, textOr } from '../read-field.ts';
import { labelsText, selectorText } from './label-texts.ts';
import { AGE_COLUMN, NAME } from './metadata-columns.ts';

const TEMPLATE = 'spec.template.spec';

const count = (name: string, path: string, description: string, type: 'integer' | 'string' = 'integer'): TableColumn => ({
  name,
  type,
  description,
  cell: (object) => countAt(object, path),
});

const readyOfWanted: TableColumn = {
  name: 'Ready',
  description: 'Pods that are ready, of those that are wanted.',
  cell: (object) => `${countAt(object, 'status.readyReplicas')}/${countAt(object, 'spec.replicas')}`,
};

/** Names and images of a template's containers. */
const templateColumns = (template: string): readonly TableColumn[] => [
  { name: 'Containers', wide: true, description: 'Names of the containers.', cell: (object) => joined(object, template, 'name') },
  { name: 'Images', wide: true, description: 'Images of the containers.', cell: (object) => joined(object, template, 'image') },
];

const joined = (object: Stored, template: string, field: string): string =>
  objectsAt(object, `${template}.containers`)
    .map((container) => textAt(container, field))
    .join(',');

const selector = (path: string, absent = '<none>'): TableColumn => ({
  name: 'Selector',
  wide: true,
  description: 'Labels by which it knows its pods.',
  cell: (object) => selectorText(mapAt(object, path)) || absent,
});

export const deploymentColumns: Columns = columnsOf([
  NAME,
  readyOfWanted,
  count('Up-to-date', 'status.updatedReplicas', 'Pods that are made from the current template.', 'string'),
  count('Available', 'status.availableReplicas', 'Pods that have been ready for long enough.', 'string'),
  AGE_COLUMN,
  ...templateColumns(TEMPLATE),
  selector('spec.selector', ''),
]);

export const replicaSetColumns: Columns = columnsOf([
  NAME,
  count('Desired', 'spec.replicas', 'Pods that are wanted.'),
  count('Current', 'status.replicas', 'Pods that exist.'),
  count('Ready', 'status.readyReplicas', 'Pods that are ready.'),
  AGE_COLUMN,
  ...templateColumns(TEMPLATE),
  selector('spec.selector'),
]);

export const statefulSetColumns: Columns = columnsOf([NAME, readyOfWanted, AGE_COLUMN, ...templateColumns(TEMPLATE)]);

export const daemonSetColumns: Columns = columnsOf([
  NAME,
  count('Desired', 'status.desiredNumberScheduled', 'Nodes that should run a pod.'),
  count('Current', 'status.currentNumberScheduled', 'Nodes that run a pod and should.'),
  count('Ready', 'status.numberReady', 'Nodes whose pod is ready.'),
  count('Up-to-date', 'status.updatedNumberScheduled', 'Nodes whose pod is made from the current template.'),
  count('Available', 'status.numberAvailable', 'Nodes whose pod has been ready for long enough.'),
  {
    name: 'Node Selector',
    description: 'Labels of the nodes that should run a pod.',
    cell: (object) => labelsText(mapAt(object, `${TEMPLATE}.nodeSelector`)),
  },
  AGE_COLUMN,
  ...templateColumns(TEMPLATE),
  selector('spec.selector'),
]);

export const jobColumns: Columns = columnsOf([
  NAME,
  { name: 'Status', description: 'How far the job is.', cell: jobStatus },
  { name: 'Completions', description: 'Pods that succeeded, of those that have to.', cell: completions },
  { name: 'Duration', description: 'How long the job has run, or took.', cell: jobDuration },
  AGE_COLUMN,
  ...templateColumns(TEMPLATE),
  selector('spec.selector'),
]);

/** The scale of whatever can be scaled. */
export const scaleColumns: Columns = columnsOf([
  NAME,
  count('Desired', 'spec.replicas', 'Replicas that are wanted.'),
  count('Available', 'status.replicas', 'Replicas that exist.'),
  AGE_COLUMN,
]);

const CRON_TEMPLATE = 'spec.jobTemplate.spec.template.spec';

export const cronJobColumns: Columns = columnsOf([
  NAME,
  { name: 'Schedule', description: 'When jobs are started, in the form of cron.', cell: (object) => textAt(object, 'spec.schedule') },
  { name: 'Timezone', description: 'Zone of the schedule.', cell: (object) => textOr(object, 'spec.timeZone', '<none>') },
  {
    name: 'Suspend',
    type: 'boolean',
    description: 'Whether no jobs are started for now.',
    cell: (object) => (fieldAt(object, 'spec.suspend') === true ? 'True' : 'False'),
  },
  { name: 'Active', type: 'integer', description: 'Jobs that run now.', cell: (object) => objectsAt(object, 'status.active').length },
  { name: 'Last Schedule', description: 'When a job was started last.', cell: lastSchedule },
  AGE_COLUMN,
  ...templateColumns(CRON_TEMPLATE),
  selector('spec.jobTemplate.spec.selector'),
]);

function lastSchedule(object: Stored, now: Instant): string {
  return textAt(object, 'status.lastScheduleTime') === '' ? '<none>' : ageAt(object, 'status.lastScheduleTime', now);
}

function jobStatus(job: Stored): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (hasCondition(job, 'Suspended')) return 'Suspended';
  return ['FailureTarget', 'SuccessCriteriaMet'].find((type) => hasCondition(job, type)) ?? 'Running';
}

function completions(job: Stored): string {
  const succeeded = countAt(job, 'status.succeeded');
  const wanted = fieldAt(job, 'spec.completions');
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`;
  const parallelism = countAt(job, 'spec.parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: Stored, now: Instant): string {
  const start = parseTime(textAt(job, 'status.startTime'));
  return start === undefined ? '' : humanDuration((parseTime(textAt(job, 'status.completionTime')) ?? now) - start);
}

const share = (name: string, path: string, description: string): TableColumn => ({
  name,
  description,
  cell: (object) => (typeof fieldAt(object, path) === 'number' ? String(countAt(object, path)) : textAt(object, path) || 'N/A'),
});

export const budgetColumns: Columns = columnsOf([
  NAME,
  share('Min Available', 'spec.minAvailable', 'Pods that must stay available.'),
  share('Max Unavailable', 'spec.maxUnavailable', 'Pods that may be unavailable.'),
  count('Allowed Disruptions', 'status.disruptionsAllowed', 'Pods that may be evicted now.'),
  AGE_COLUMN,
]);
