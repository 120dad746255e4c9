import type { Target } from '../../analyst/index.ts';

/** An action on a target, as an analysis proposes it. */
export interface ProposedAction {
  readonly actionType: string;
  readonly target: Target;
  readonly parameters: Readonly<Record<string, string>>;
}

type Command = (
  of: { readonly name: string; readonly at: string; readonly on: string },
  parameters: ProposedAction['parameters'],
) => string;

/** What a person types for the same effect. Workflows check more than these commands do. */
const COMMANDS: Readonly<Record<string, Command>> = {
  RollbackDeployment: ({ at, on }, { REVISION = '' }) =>
    `kubectl rollout undo${at} ${on}${REVISION === '' ? '' : ` --to-revision=${REVISION}`}`,
  RestartWorkload: ({ at, on }) => `kubectl rollout restart${at} ${on}`,
  IncreaseMemoryLimits: ({ at, on }, parameters) => setLimit('memory', `${at} ${on}`, parameters),
  IncreaseCPULimits: ({ at, on }, parameters) => setLimit('cpu', `${at} ${on}`, parameters),
  ScaleReplicas: ({ at, on }, { REPLICAS = 'COUNT' }) => `kubectl scale${at} ${on} --replicas=${REPLICAS}`,
  DeleteStuckPod: ({ at, name }) => `kubectl delete pod${at} ${name}`,
  DrainNode: ({ name }) => `kubectl drain ${name} --ignore-daemonsets`,
  UncordonNode: ({ name }) => `kubectl uncordon ${name}`,
};

const setLimit = (resource: string, on: string, { CONTAINER, LIMIT = 'HIGHER' }: ProposedAction['parameters']): string =>
  `kubectl set resources${on}${CONTAINER === undefined ? '' : ` -c ${CONTAINER}`} --limits=${resource}=${LIMIT}`;

/** What a shell takes as one plain word. */
const PLAIN = /^[\w./:@=-]+$/;

/** The command for it; undefined where there is none, or where a value is no plain word. */
export function commandByHand({ actionType, target, parameters }: ProposedAction): string | undefined {
  const { kind, name, namespace } = target;
  const words = [kind, name, namespace ?? 'none', ...Object.values(parameters)];
  const command = Object.hasOwn(COMMANDS, actionType) && words.every((word) => PLAIN.test(word)) ? COMMANDS[actionType] : undefined;
  return command?.({ name, at: namespace === undefined ? '' : ` -n ${namespace}`, on: `${kind.toLowerCase()}/${name}` }, parameters);
}
