import type { FailureReason } from '../../../api/workflow-execution/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { COMMON_ACCOUNT } from '../engines/job/job-draft.ts';
import type { ExecutionFailure } from './failure.ts';

/** The recorded run, as commands name it. */
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
  DeadlineExceeded: { text: 'Check what it was doing for so long, or give it more time.', command: describe },
  Forbidden: { text: 'Compare what it was refused with the rights of its ServiceAccount.', command: rights },
  ResourceExhausted: { text: 'Check which node ran out of which resource.', command: nodes },
  ConfigurationError: { text: 'Correct the workflow or its parameters.', command: describe },
  ImagePullBackOff: { text: 'Check that the image exists and that the nodes may pull it.', command: events },
  TaskFailed: { text: 'Read its output, and its log while the run is kept.', command: logs },
  Unknown: { text: 'Check the run and its Events.', command: events },
  UnsupportedEngine: { text: 'Choose a workflow whose engine is installed.' },
  Deduplicated: { text: 'Check the other execution.' },
};

const BEFORE: Readonly<Record<FailureReason, Advice>> = {
  ...AFTER,
  DeadlineExceeded: { text: 'Check what it waited for, or give it more time.', command: events },
  Forbidden: { text: 'Change the rule that refuses it, or the workflow so that it keeps to the rule.', command: events },
  ResourceExhausted: { text: 'Free capacity on the nodes, or raise the quota of the namespace that workflows run in.', command: events },
  ConfigurationError: { text: 'Correct the workflow or its parameters, or create what is missing.', command: events },
};

/** What to do about a failure, and the next command to type. */
export function adviceFor(execution: WorkflowExecution, failure: ExecutionFailure): string {
  const { text, command = describe } = (failure.started ? AFTER : BEFORE)[failure.reason];
  const show = /quota/i.test(failure.message) ? quota : command;
  return `${failure.advice ?? text} Next: ${next(execution, show)}`;
}

function next(execution: WorkflowExecution, command: NonNullable<Advice['command']>): string {
  const { name, namespace, kind } = execution.status?.executionRef ?? {};
  if (kind === 'Job' || kind === 'PipelineRun') return command({ namespace: namespace ?? '', name: name ?? '', kind }, execution);
  if (name !== undefined) return `check ${name} in AWX`;
  return `kubectl -n ${execution.metadata.namespace ?? ''} describe workflowexecution ${execution.metadata.name}`;
}
