import type { Event, PipelineRun, Pod } from '../../../../api/builtin/index.ts';
import type { FailureReason } from '../../../../api/workflow-execution/status.ts';
import type { Listed } from '../../../../kube/client/read.ts';
import { quoted, type ExecutionFailure } from '../../status/failure.ts';
import { executionUidOf } from '../../names.ts';
import { disruptionCause, endCause, obstacleCause, type ClusterMessage } from '../evidence/failure-causes.ts';
import type { PodEvidence, RecordedState } from '../evidence/pod-evidence.ts';
import { refusalOf } from '../evidence/refusal.ts';
import { runEvidence } from '../evidence/run-evidence.ts';
import { pipelineRunEnd, succeeded } from './pipeline-run.ts';

/** What the tasks of the run say. They stay when their pods go, so a missing one was deleted from outside, and it may have acted. */
export function pipelineRunEvidence(
  run: PipelineRun,
  pods: readonly Pod[],
  remembered: RecordedState | undefined,
  events: Listed<Event>,
): PodEvidence {
  const tasks = run.status?.childReferences?.length ?? 0;
  const own = pods.filter((pod) => executionUidOf(pod) === executionUidOf(run));
  if (own.length < tasks) return { started: true };
  const said = (run.status?.results ?? []).map(({ name, value }) => `${name}: ${textOf(value)}`).join('; ');
  // As long as the run continues, its first task may begin between two reads.
  const story =
    own.length === 0
      ? { started: pipelineRunEnd(run) === undefined }
      : runEvidence(run, { pods: own, events, remembered, hadNoPod: false });
  return { ...story, ...(said === '' ? {} : { said: quoted(said) }) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Why a PipelineRun failed: from what its steps say and, where they say nothing, from its own words. */
export function pipelineRunFailure(run: PipelineRun, story: PodEvidence): ExecutionFailure {
  const { reason = '', message = '' } = succeeded(run.status) ?? {};
  const refusal = OUT_OF_TIME.test(reason) ? undefined : refusalOf(story, story.end?.message);
  return { ...(refusal ?? failureFrom(story, { reason, message })), ...whereOf(run, story) };
}

function failureFrom(story: PodEvidence, { reason, message }: ClusterMessage): ExecutionFailure {
  const fact = factOf(story, reason) ?? factOfWords({ reason, message });
  return {
    reason: fact.is === 'TaskFailed' && !story.started ? 'Unknown' : fact.is,
    plain: fact.plain,
    message: quoted([fact.message, message, reason].find(Boolean) ?? 'the PipelineRun failed'),
    started: story.started,
  };
}

/** Which step of which task failed. */
function whereOf({ status }: PipelineRun, { started, end }: PodEvidence): Pick<ExecutionFailure, 'exitCode' | 'step' | 'task'> {
  if (!started || !end) return {};
  const [name = '', step = ''] = end.container.split('/');
  const index = (status?.childReferences ?? []).findIndex(({ pipelineTaskName }) => pipelineTaskName === name);
  return { exitCode: end.exitCode, step, task: { name, index: Math.max(0, index) } };
}

interface Fact {
  readonly is: FailureReason;
  readonly plain: string;
  readonly message?: string;
}

/** Each says what the story and Tekton's word for the end come to, if it knows. Of several facts the others follow from the first. */
const FACTS: readonly ((story: PodEvidence, run: string) => Fact | undefined)[] = [
  (story) => (story.obstacle && isStuck(story) ? { ...obstacleFact(story.obstacle), message: wordsOf(story.obstacle) } : undefined),
  ({ started, end }) => (started && end?.reason === 'OOMKilled' ? { ...endCause(end), message: end.message } : undefined),
  ({ disruption }) => (disruption ? { ...disruptionCause(disruption), message: wordsOf(disruption) } : undefined),
  ({ started, end }, run) => ([run, end?.reason].some((word) => OUT_OF_TIME.test(word ?? '')) ? late(started) : undefined),
  (_, run) => (run === 'Cancelled' ? { is: 'Unknown', plain: 'its PipelineRun was cancelled' } : undefined),
  ({ started, end }) => (started && end ? { ...endCause(end), message: end.message } : undefined),
];

/** A later task, or a later step, may be kept from beginning as well. */
const isStuck = ({ started, end }: PodEvidence): boolean => !started || !end || GAVE_UP.test(end.reason);

const GAVE_UP = /^(TaskRunImagePullFailed|CreateContainerConfigError)$/;
const OUT_OF_TIME = /^(Pipeline|Task)RunTimeout$/;
const MISWRITTEN: Fact = { is: 'ConfigurationError', plain: 'Tekton cannot run its pipeline as specified' };

/** What keeps Tekton from the pipeline it does not tell: it tries until the time is up. */
const late = (started: boolean): Fact => ({
  is: 'DeadlineExceeded',
  plain: started ? 'it did not finish in time' : 'it did not start in time; check that its bundle can be pulled and contains its pipeline',
});

function factOf(story: PodEvidence, run: string): Fact | undefined {
  for (const fact of FACTS) {
    const found = fact(story, run);
    if (found) return found;
  }
  return undefined;
}

/** Tekton's words where it has some of its own, the cluster's otherwise. */
function obstacleFact(obstacle: ClusterMessage): Fact {
  if (obstacle.reason === 'ExceededResourceQuota') return { is: 'ResourceExhausted', plain: 'the quota of its namespace is used up' };
  if (/^Pod(Creation|Admission)Failed$/.test(obstacle.reason)) return obstacleCause({ ...obstacle, reason: 'FailedCreate' });
  if (/^Task|^InvalidParam|^ResourceVerification/.test(obstacle.reason)) return MISWRITTEN;
  return obstacleCause(obstacle);
}

/** Words for a pipeline that Tekton could not get, or did not take. */
const REFUSED =
  /^(Couldnt|Invalid|Parameter|Param|ObjectParameter|Pipeline(Validation|Invalid)|RequiredWorkspace|ResourceVerification|CELEvaluation|CreateRunFailed)/;

/** From Tekton's words to a category, where no step says anything: the first row that fits. */
const WORDS: readonly { readonly is: FailureReason; readonly plain: string; readonly says: RegExp }[] = [
  { is: 'OOMKilled', says: /oom/i, plain: 'one of its steps needed more memory than its limit allows' },
  { is: 'DeadlineExceeded', says: /timeout|deadline/i, plain: 'it did not finish in time' },
  { is: 'Forbidden', says: /forbidden|rbac|permission denied/i, plain: 'one of its requests was refused' },
  { is: 'ResourceExhausted', says: /quota|resource exhausted/i, plain: 'there is no capacity for it' },
  { is: 'ImagePullBackOff', says: /imagepullbackoff|image pull/i, plain: 'an image cannot be pulled' },
  { is: 'ConfigurationError', says: /invalid|configuration/i, plain: MISWRITTEN.plain },
  { is: 'TaskFailed', says: /taskfailed|task.*failed|failed.*task/is, plain: 'one of its tasks failed' },
];

function factOfWords({ reason, message }: ClusterMessage): Fact {
  if (REFUSED.test(reason)) return MISWRITTEN;
  return WORDS.find(({ says }) => says.test(`${reason} ${message}`)) ?? { is: 'Unknown', plain: 'the cause is unknown' };
}

const wordsOf = ({ reason, message }: ClusterMessage): string => [reason, message].filter(Boolean).join(': ');
