import { expect, test } from 'vitest';
import { commandByHand } from './by-hand.ts';

const DEPLOYMENT = { kind: 'Deployment', namespace: 'shop', name: 'checkout' };
const NODE = { kind: 'Node', name: 'worker-1' };

test.each([
  {
    actionType: 'RollbackDeployment',
    target: DEPLOYMENT,
    parameters: { REVISION: '2' },
    want: 'kubectl rollout undo -n shop deployment/checkout --to-revision=2',
  },
  { actionType: 'RestartWorkload', target: DEPLOYMENT, parameters: {}, want: 'kubectl rollout restart -n shop deployment/checkout' },
  {
    actionType: 'IncreaseMemoryLimits',
    target: DEPLOYMENT,
    parameters: { CONTAINER: 'app' },
    want: 'kubectl set resources -n shop deployment/checkout -c app --limits=memory=HIGHER',
  },
  {
    actionType: 'IncreaseCPULimits',
    target: DEPLOYMENT,
    parameters: { CONTAINER: 'app', LIMIT: '2' },
    want: 'kubectl set resources -n shop deployment/checkout -c app --limits=cpu=2',
  },
  {
    actionType: 'ScaleReplicas',
    target: DEPLOYMENT,
    parameters: { REPLICAS: '3' },
    want: 'kubectl scale -n shop deployment/checkout --replicas=3',
  },
  { actionType: 'DeleteStuckPod', target: { ...DEPLOYMENT, kind: 'Pod', name: 'p' }, parameters: {}, want: 'kubectl delete pod -n shop p' },
  { actionType: 'DrainNode', target: NODE, parameters: {}, want: 'kubectl drain worker-1 --ignore-daemonsets' },
  { actionType: 'UncordonNode', target: NODE, parameters: {}, want: 'kubectl uncordon worker-1' },
  { actionType: 'RestoreConfigMap', target: DEPLOYMENT, parameters: {}, want: undefined },
  { actionType: 'constructor', target: DEPLOYMENT, parameters: {}, want: undefined },
  { actionType: 'RollbackDeployment', target: DEPLOYMENT, parameters: { REVISION: '2; rm -rf /' }, want: undefined },
])('$actionType $parameters', ({ actionType, target, parameters, want }) => {
  expect(commandByHand({ actionType, target, parameters: parameters as Readonly<Record<string, string>> })).toBe(want);
});
