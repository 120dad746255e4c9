import type { Manifest, Step } from '../fault.ts';

/** The image that every node has. */
const IMAGE = 'sickbay.test/busybox:1';

/** What a script of busybox is run by. */
export const sh = (script: string): readonly string[] => ['sh', '-c', script];

/** A container that runs well. */
export const GOOD = { command: sh('echo "listening on :8080"; while :; do sleep 3600 & wait $!; done') };

/** Answers every request for /. */
export const WEB = {
  command: sh('mkdir -p /tmp/www; echo ok > /tmp/www/index.html; echo "listening on :8080"; exec httpd -f -p 8080 -h /tmp/www'),
};

export interface WorkloadMore {
  readonly replicas?: number;
  /** More of the workload's spec. */
  readonly workload?: object;
  /** More of the pods' spec. */
  readonly pods?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly podAnnotations?: Readonly<Record<string, string>>;
}

const container = (more: object): object => ({
  name: 'app',
  image: IMAGE,
  resources: { requests: { cpu: '5m', memory: '16Mi' } },
  ...more,
});

const template = (name: string, main: object, { pods, podAnnotations }: WorkloadMore): object => ({
  metadata: { labels: { app: name }, ...(podAnnotations && { annotations: podAnnotations }) },
  spec: { terminationGracePeriodSeconds: 1, containers: [container(main)], ...pods },
});

const workload = (kind: string, name: string, main: object, more: WorkloadMore): Manifest => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, labels: { app: name }, ...(more.annotations && { annotations: more.annotations }) },
  spec: {
    ...(kind !== 'DaemonSet' && { replicas: more.replicas ?? 2 }),
    ...(kind === 'StatefulSet' && { serviceName: name }),
    selector: { matchLabels: { app: name } },
    template: template(name, main, more),
    ...more.workload,
  },
});

export const aDeployment = (name: string, main: object = GOOD, more: WorkloadMore = {}): Manifest =>
  workload('Deployment', name, main, more);
export const aStatefulSet = (name: string, main: object = GOOD, more: WorkloadMore = {}): Manifest =>
  workload('StatefulSet', name, main, more);
export const aDaemonSet = (name: string, main: object = GOOD, more: WorkloadMore = {}): Manifest => workload('DaemonSet', name, main, more);

export const aService = (name: string, more: { readonly selector?: object; readonly targetPort?: number } = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: more.selector ?? { app: name }, ports: [{ port: 80, targetPort: more.targetPort ?? 8080 }] },
});

export const aConfigMap = (name: string, data: object, annotations?: object): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(annotations && { annotations }) },
  data,
});

/** A change of the pod template of a workload. */
export const release = (kind: string, name: string, main: object, pods: object = {}): Step => ({
  patch: { apiVersion: 'apps/v1', kind, name },
  body: { spec: { template: { spec: { containers: [{ name: 'app', ...main }], ...pods } } } },
});

/** A new release of a Deployment. */
export const newRelease = (name: string, main: object, pods: object = {}): Step => release('Deployment', name, main, pods);

export const patched = (apiVersion: string, kind: string, name: string, body: object): Step => ({
  patch: { apiVersion, kind, name },
  body,
});
