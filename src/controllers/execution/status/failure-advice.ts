import type { FailureReason } from '../../../api/workflow-execution/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { COMMON_ACCOUNT } from '../engines/job/job-draft.ts';
import type { Failure } from './failure.ts';

/** The run on record, as commands name it. */
interface Run {
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
}

interface Advice {
  readonly text: string;
  /** The command that shows more; without one, that which shows the run. */
  readonly command?: (run: Run, execution: WorkflowExecution) => string;
}

const logs = ({ namespace, name, kind }: Run): string =>
  kind === 'Job'
    ? `kubectl -n ${namespace} logs job/${name}`
    : `kubectl -n ${namespace} logs -l tekton.dev/pipelineRun=${name} --all-containers`;
const events = ({ namespace }: Run): string => `kubectl -n ${namespace} get events --sort-by=.lastTimestamp`;
const describe = ({ namespace, name, kind }: Run): string => `kubectl -n ${namespace} describe ${kind.toLowerCase()}/${name}`;
const rights = ({ namespace }: Run, { spec }: WorkflowExecution): string =>
  `kubectl auth can-i --list --as=system:serviceaccount:${namespace}:${spec.workflowRef.serviceAccountName ?? COMMON_ACCOUNT}`;
const quota = ({ namespace }: Run): string => `kubectl -n ${namespace} describe resourcequota`;
const nodes = (): string => 'kubectl describe nodes';

/** What to do about each kind of failure, when the workflow had begun and when it had not. */
const AFTER: Readonly<Record<FailureReason, Advice>> = {
  OOMKilled: { text: 'Give the workflow a higher memory limit, or look for a LimitRange that lowers it.', command: describe },
  DeadlineExceeded: { text: 'See what it was doing for so long, or give it more time.', command: describe },
  Forbidden: { text: 'Compare what it was refused with the rights of its ServiceAccount.', command: rights },
  ResourceExhausted: { text: 'See which node ran out of what.', command: nodes },
  ConfigurationError: { text: 'Correct the workflow or what it was told.', command: describe },
  ImagePullBackOff: { text: 'See that the image exists and that the nodes may pull it.', command: events },
  TaskFailed: { text: 'Read what it said, and its log while the run is kept.', command: logs },
  Unknown: { text: 'Look at the run and its Events.', command: events },
  UnsupportedEngine: { text: 'Choose a workflow whose engine is installed.' },
  Deduplicated: { text: 'Look at the other execution.' },
};

const BEFORE: Readonly<Record<FailureReason, Advice>> = {
  ...AFTER,
  DeadlineExceeded: { text: 'See what it waited for, or give it more time.', command: events },
  Forbidden: { text: 'Change the rule that refused it, or the workflow so that it keeps to the rule.', command: events },
  ResourceExhausted: { text: 'Make room: on the nodes, or in the quota of the namespace that workflows run in.', command: events },
  ConfigurationError: { text: 'Correct the workflow or what it was told, or put there what is missing.', command: events },
};

/** What to do about a failure, and the next command to type. */
export function adviceFor(execution: WorkflowExecution, failure: Failure): string {
  const { text, command = describe } = (failure.started ? AFTER : BEFORE)[failure.reason];
  const show = /quota/i.test(failure.message) ? quota : command;
  return `${failure.advice ?? text} Next: ${next(execution, show)}`;
}

function next(execution: WorkflowExecution, command: NonNullable<Advice['command']>): string {
  const { name, namespace, kind } = execution.status?.executionRef ?? {};
  if (kind === 'Job' || kind === 'PipelineRun') return command({ namespace: namespace ?? '', name: name ?? '', kind }, execution);
  if (name !== undefined) return `look at ${name} in AWX`;
  return `kubectl -n ${execution.metadata.namespace ?? ''} describe workflowexecution ${execution.metadata.name}`;
}
