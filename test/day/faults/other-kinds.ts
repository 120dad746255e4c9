import { CronJob, DaemonSet, HorizontalPodAutoscaler, PodDisruptionBudget, StatefulSet } from '../../../src/api/builtin/index.ts';
import type { KubeObject } from '../../../src/api/meta.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { aDeployment, sh } from '../../../workflows/testing/shop.ts';
import { nodeToFreeze } from '../../cluster/while-frozen.ts';
import { allAccepted, handedOver, onlyRequests } from '../expectations.ts';
import type { Fault } from '../fault.ts';
import { BAD, GOOD, NEVER_READY, type Stage } from '../stage.ts';
import { manage } from './machines.ts';

const PersistentVolumeClaim: Resource<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
};

const { selector, template } = aDeployment('carts', BAD).spec;

const statefulSet: Fault = {
  name: 'stateful-set',
  expected: 'handed over, naming the pod that crashes',
  async run(stage) {
    await stage.open('staging');
    await stage.create(StatefulSet, 'carts', { spec: { replicas: 2, serviceName: 'carts', selector, template } });
    await handedOver(stage, [/carts-0/, /StatefulSet/]);
    onlyRequests(stage, 1);
  },
};

const daemonSet: Fault = {
  name: 'daemon-set',
  expected: 'handed over, naming a pod that is not ready',
  async run(stage) {
    await stage.open('staging');
    await stage.create(DaemonSet, 'carts', { spec: { selector, template: aDeployment('carts', NEVER_READY).spec.template } });
    await handedOver(stage, [/carts-[a-z0-9]+/, /DaemonSet/]);
    onlyRequests(stage, 1);
  },
};

const cronJob: Fault = {
  name: 'cron-job',
  expected: 'handed over once for the CronJob, not once for each Job',
  async run(stage) {
    await stage.open('staging');
    const pod = {
      ...aDeployment('nightly', { command: sh('echo "no such table" >&2; exit 2') }).spec.template.spec,
      restartPolicy: 'Never',
    };
    const jobTemplate = { spec: { backoffLimit: 0, template: { spec: pod } } };
    await stage.create(CronJob, 'nightly', { spec: { schedule: '* * * * *', jobTemplate } });
    await stage.until('the first request', 150, () => stage.courses()[0]);
    await handedOver(stage, [/nightly/]);
    await stage.wait(65);
    onlyRequests(stage, 1);
  },
};

/** The alert is accepted, leads to one request at most, and is not sent for ever. */
async function answered(stage: Stage, alert: string): Promise<void> {
  await stage.until(`${alert} was sent`, 90, () => stage.alerts().some(({ labels }) => labels['alertname'] === alert) || undefined);
  await stage.wait(75);
  allAccepted(stage);
  const courses = stage.courses();
  stage.expect(`${courses.length} requests were opened`, courses.length <= 1);
  const sent = stage.alerts().filter(({ labels }) => labels['alertname'] === alert).length;
  stage.expect(`it was sent ${sent} times in 80 s`, sent <= 3);
  stage.say(`${alert}: ${[...new Set(stage.alerts().map(({ verdict, message }) => `${verdict}: ${message}`))].join('; ')}`);
}

const autoscaler: Fault = {
  name: 'hpa',
  expected: 'KubeHpaMaxedOut: accepted, one request or verdict, no repeats',
  async run(stage) {
    await stage.open('staging');
    await stage.deploy('checkout', GOOD, { replicas: 1 });
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'checkout' };
    const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }];
    await stage.create(HorizontalPodAutoscaler, 'checkout', { spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 1, metrics } });
    await answered(stage, 'KubeHpaMaxedOut');
  },
};

const disruptionBudget: Fault = {
  name: 'pdb',
  expected: 'KubePdbNotEnoughHealthyPods: accepted, one request or verdict, no repeats',
  async run(stage) {
    await stage.open('staging');
    await stage.deploy('checkout', GOOD, { replicas: 1 });
    await stage.create(PodDisruptionBudget, 'checkout', { spec: { minAvailable: 2, selector: { matchLabels: { app: 'checkout' } } } });
    await answered(stage, 'KubePdbNotEnoughHealthyPods');
  },
};

const volumeClaim: Fault = {
  name: 'pvc',
  expected: 'KubePersistentVolumeFillingUp with a node label: about the claim, not about the Node',
  async run(stage) {
    await stage.open('staging');
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'none' };
    await stage.create(PersistentVolumeClaim, 'data', { spec });
    const node = await nodeToFreeze(stage.client);
    await manage(stage, node, 'true');
    const about = `{namespace="${stage.namespace}",persistentvolumeclaim="data",node="${node}"}`;
    stage.day.monitoring.expose([`kubelet_volume_stats_available_bytes${about} 1`, `kubelet_volume_stats_capacity_bytes${about} 100`]);
    try {
      await answered(stage, 'KubePersistentVolumeFillingUp');
    } finally {
      stage.day.monitoring.expose([]);
    }
    const aboutNodes = stage.day.book.courses(({ spec: { targetResource } }) => targetResource.kind === 'Node');
    stage.expect('it was taken for an alert about the Node', aboutNodes.length === 0);
  },
};

/** Alerts about other kinds than Deployments. */
export const OTHER_KINDS: readonly Fault[] = [statefulSet, daemonSet, cronJob, autoscaler, disruptionBudget, volumeClaim];
