import { ResourceQuota } from '../../../src/api/builtin/index.ts';
import { sh } from '../../../workflows/testing/shop.ts';
import { allAccepted, handedOver, healedOrHandedOver, onlyRequests } from '../expectations.ts';
import type { Fault } from '../fault.ts';
import { GOOD, NEVER_READY } from '../stage.ts';

const APP = 'checkout';
const POD = /checkout-[a-z0-9]+-[a-z0-9]+/;

/** A release whose pods do not come up, while the one before it serves. */
const release = (name: string, what: { container: object; spec?: object; says: readonly RegExp[]; told: string }): Fault => ({
  name,
  expected: `healed, or handed over ${what.told}`,
  async run(stage) {
    await stage.open('staging');
    await stage.deploy(APP);
    // What never becomes ready is noticed by this alone: the release before it still serves.
    await stage.patch(APP, { spec: { progressDeadlineSeconds: 30 } });
    await stage.release(APP, what.container, what.spec);
    await healedOrHandedOver(stage, [POD, ...what.says]);
    onlyRequests(stage, 1);
    allAccepted(stage);
  },
});

const needsSecret = { ...GOOD, env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'payments-token', key: 'token' } } }] };

const quotaExceeded: Fault = {
  name: 'quota',
  expected: 'handed over, naming the quota',
  async run(stage) {
    await stage.open('staging');
    await stage.deploy(APP);
    await stage.create(ResourceQuota, 'team-budget', { spec: { hard: { pods: '2' } } });
    await stage.wait(3);
    await stage.patch(APP, { spec: { replicas: 4 } });
    await stage.until('a request for the Deployment', 90, () =>
      stage.courses().find((one) => one.request.spec.targetResource.kind === 'Deployment'),
    );
    const index = stage.courses().findIndex((one) => one.request.spec.targetResource.kind === 'Deployment');
    await handedOver(stage, [/team-budget|exceeded quota/], index);
    allAccepted(stage);
  },
};

const cpuAtLimit: Fault = {
  name: 'cpu-at-limit',
  expected: 'never NoActionRequired: healed by a higher limit, or handed over with the throttling',
  async run(stage) {
    await stage.open('staging');
    const busy = { command: sh('while :; do :; done'), resources: { limits: { cpu: '50m' }, requests: { cpu: '10m' } } };
    await stage.deploy(APP, busy, { replicas: 1 });
    await stage.untilReady(APP, 1);
    await healedOrHandedOver(stage, [/CPU|throttl/i]);
    onlyRequests(stage, 1);
  },
};

const errorRate: Fault = {
  name: 'error-rate',
  expected: 'pods healthy, the critical alert fires on: handed over, never muted as NoActionRequired',
  async run(stage) {
    await stage.open('staging');
    await stage.deploy(APP);
    stage.day.monitoring.expose([`http_requests_failed_ratio{namespace="${stage.namespace}",deployment="${APP}"} 0.2`]);
    try {
      await handedOver(stage, [/HighErrorRate/]);
      onlyRequests(stage, 1);
    } finally {
      stage.day.monitoring.expose([]);
    }
  },
};

/** Faults of pods. */
export const PODS: readonly Fault[] = [
  release('missing-secret', { container: needsSecret, says: [/payments-token/], told: 'naming pod and Secret' }),
  release('never-ready', { container: NEVER_READY, says: [/readiness|probe/i], told: 'naming pod and probe' }),
  release('node-selector', {
    container: GOOD,
    spec: { nodeSelector: { disk: 'ssd' } },
    says: [/node affinity|selector|schedul/i],
    told: 'with what the scheduler says',
  }),
  release('cpu-request', {
    container: { ...GOOD, resources: { requests: { cpu: '64' } } },
    says: [/Insufficient cpu|cpu/i],
    told: 'with what the scheduler says',
  }),
  release('oom-killed', {
    container: { command: sh('sleep 3; exec tail /dev/zero'), resources: { limits: { memory: '32Mi' } } },
    says: [/OOMKilled|memory/],
    told: 'naming the container and its memory',
  }),
  quotaExceeded,
  cpuAtLimit,
  errorRate,
];
