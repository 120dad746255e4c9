import { JOB_LOST, MARK_DELETED } from '../../controllers/execution/engines/awx/job/follow-awx-job.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { Invariant, Simulation } from '../../simulation/index.ts';
import type { AwxRecord } from './ansible-runner.ts';
import type { FakeAwx } from './fake-awx.ts';
import { TOKEN_START } from './token-issuer.ts';

interface Stage {
  readonly awx: FakeAwx;
  readonly record: AwxRecord;
  readonly own: number;
}

/** What must hold after every step. */
export const invariantsOf = ({ awx, record, own }: Stage): readonly Invariant[] => [
  { name: 'at most one job per execution', check: () => twiceStarted(record) },
  { name: 'no job after an execution failure', check: () => record.tooSoon[0] },
  {
    name: 'at most one run per target at any time',
    check() {
      if (record.open.size < 2) return undefined;
      const targets = [...record.open.values()];
      return targets.find((target, i) => targets.indexOf(target) !== i);
    },
  },
  { name: 'every request is one that AWX documents', check: () => awx.offences[0] },
  { name: 'the credentials of the template are left alone', check: () => (awx.state.credentials.has(own) ? undefined : 'its own is gone') },
];

function twiceStarted({ started }: AwxRecord): string | undefined {
  for (const [uid, runs] of started) if (runs.size > 1) return uid;
  return undefined;
}

/** What is wrong with the end. */
export function misjudged(simulation: Simulation, stage: Stage, secret: string): readonly string[] {
  const { awx, record, own } = stage;
  const left = [...awx.state.credentials.values()].filter(({ id }) => id !== own).map(({ name }) => `credential ${name} is left in AWX`);
  return [
    ...left,
    ...simulation.mirror.all(WorkflowExecution).flatMap((execution) => objectionTo(execution, record)),
    ...leaks(simulation, awx, secret),
  ];
}

function objectionTo({ metadata, status = {} }: WorkflowExecution, record: AwxRecord): readonly string[] {
  const ran = record.ran.has(metadata.uid);
  const { wasExecutionFailure, message = '' } = status.failureDetails ?? {};
  const objections = {
    'is Completed, but its job is not': status.phase === 'Completed' && record.ended.get(metadata.uid) !== 'successful',
    'is Skipped, but it ran': status.phase === 'Skipped' && ran,
    'is said not to have run, but it did': wasExecutionFailure === false && ran,
    'was called lost, although its job was not deleted': message.includes(JOB_LOST) || message.includes(MARK_DELETED),
    'still has credentials on record': (status.ephemeralCredentialIDs ?? []).length > 0,
  };
  return Object.entries(objections).flatMap(([text, holds]) => (holds ? [`${metadata.name} ${text}`] : []));
}

/** No secret is in any text that users can read. */
function leaks({ mirror }: Simulation, { state }: FakeAwx, secret: string): readonly string[] {
  const readable = JSON.stringify([
    mirror.all(WorkflowExecution),
    [...state.jobs.values()].map(({ extra_vars }) => extra_vars),
    [...state.types.values()],
  ]);
  const secrets = [secret, Buffer.from(secret).toString('base64'), TOKEN_START];
  return secrets.filter((text) => readable.includes(text)).map((text) => `${text} can be read`);
}
