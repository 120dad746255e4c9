import { NAMESPACE, replicaSet } from './manifests.ts';
import type { Kubectl, Outcome } from './run-kubectl.ts';

/** Commands that belong together; what all of them came to is compared. */
export interface Flow {
  readonly title: string;
  run(kubectl: Kubectl): Promise<readonly Outcome[]>;
}

const SCALABLE = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'fleets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'fleets', kind: 'Fleet', shortNames: ['fl'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { scale: { specReplicasPath: '.spec.ships', statusReplicasPath: '.status.ships' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { ships: { type: 'integer', minimum: 0 } } },
              status: { type: 'object', properties: { ships: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

const fleet = { apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'first', namespace: NAMESPACE }, spec: { ships: 2 } };

/** Runs one after the other. */
async function each(kubectl: Kubectl, ...commands: readonly string[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const run of commands) outcomes.push(await kubectl.run({ run }));
  return outcomes;
}

/** Watches while other commands run, which must leave so many lines. */
async function watching(kubectl: Kubectl, watch: string, lines: number, ...commands: readonly string[]): Promise<readonly Outcome[]> {
  const watched = kubectl.follow({ run: watch }, lines);
  await watched.started;
  const outcomes = await each(kubectl, ...commands);
  return [await watched.outcome, ...outcomes];
}

export const FLOWS: readonly Flow[] = [
  {
    title: 'get -w shows what changes',
    run: (kubectl) =>
      watching(
        kubectl,
        'get configmaps -l flow=watch -w --output-watch-events',
        4,
        'create configmap seen --from-literal=a=b',
        'label configmap seen flow=watch',
        'patch configmap seen --type=merge -p {"data":{"c":"d"}}',
        'delete configmap seen',
      ),
  },
  {
    title: 'get -w of one custom object',
    run: (kubectl) =>
      watching(
        kubectl,
        'get rr -w -o wide --watch-only',
        3,
        'annotate rr --all watched=1',
        'patch rr --type=merge --subresource=status rr-checkout-7f3a -p {"status":{"overallPhase":"Failed"}}',
      ),
  },
  {
    title: 'wait sees a condition come',
    run: async (kubectl) => {
      const made = await kubectl.run({ run: 'create configmap slow --from-literal=done=no' });
      const wait = 'wait --for=jsonpath={.data.done}=yes configmap/slow --timeout=20s';
      return [made, ...(await watching(kubectl, wait, 1, 'patch configmap slow --type=merge -p {"data":{"done":"yes"}}'))];
    },
  },
  {
    title: 'wait sees an object go',
    run: async (kubectl) => {
      const made = await kubectl.run({ run: 'create configmap going --from-literal=a=b' });
      return [made, ...(await watching(kubectl, 'wait --for=delete configmap/going --timeout=20s', 1, 'delete configmap going'))];
    },
  },
  {
    title: 'rollout: status, history and undo',
    run: async (kubectl) => {
      const { stdout: uid } = await kubectl.run({ run: 'get deployment web -o jsonpath={.metadata.uid}' });
      const made = await kubectl.run({ run: 'create -f -', input: [replicaSet('1', uid), replicaSet('2', uid)] });
      const generation = await kubectl.run({ run: 'get deployment web -o jsonpath={.metadata.generation}' });
      const done = {
        observedGeneration: Number(generation.stdout),
        replicas: 2,
        updatedReplicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
      };
      return [
        made,
        ...(await each(
          kubectl,
          `patch deployment web --subresource=status --type=merge -p ${JSON.stringify({ status: { ...done, unavailableReplicas: null } })}`,
          'rollout status deployment/web --timeout=10s',
          'get replicasets',
          'get replicasets -o wide',
          'rollout history deployment/web',
          'rollout history deployment/web --revision=1',
          'rollout undo deployment/web --dry-run=server',
          'rollout undo deployment/web',
          'get deployment web -o jsonpath={.spec.template.metadata.annotations.note}',
          'rollout undo deployment/web --to-revision=9',
          'describe replicaset web-2',
        )),
      ];
    },
  },
  {
    title: 'a kind of a foreign CRD',
    run: async (kubectl) => [
      await kubectl.run({ run: 'create -f -', input: [SCALABLE] }),
      ...(await each(kubectl, 'wait --for=condition=Established crd/fleets.example.com --timeout=10s')),
      await kubectl.run({ run: 'create -f -', input: [fleet] }),
      ...(await each(
        kubectl,
        'get fl',
        'scale fleet first --replicas=7',
        'scale fleet first --replicas=1 --current-replicas=2',
        'get fl first -o yaml',
        'get fl first --subresource=scale',
        'explain fleet.spec.ships',
        'api-resources --api-group=example.com -o wide',
        'delete crd fleets.example.com --wait=false',
      )),
    ],
  },
];
