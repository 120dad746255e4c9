import { Deployment, Pod } from '../../api/builtin/index.ts';
import { LABELS } from '../../api/well-known.ts';
import { hasCode, toTime, type Instant } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { ensureNamespace } from '../process/install.ts';
import { until } from './until.ts';

/** Where the story takes place: a Deployment, and the image that its containers run. */
export interface Shop {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
}

export const SHOP: Shop = { namespace: 'shop', name: 'checkout', image: 'busybox:1.37' };
/** The same in production. */
export const PRODUCTION: Shop = { ...SHOP, namespace: 'shop-production' };

/** A release is a shell script: releases differ only in what the container runs. */
export interface Release {
  readonly version: string;
  readonly script: string;
}

export const GOOD: Release = { version: '1.4.0', script: 'sleep 86400' };
/** It starts, and exits with an error a second later. */
export const BAD: Release = { version: '1.5.0', script: 'sleep 1; exit 1' };

const REPLICAS = 2;

const keyOfShop = ({ namespace, name }: Shop) => ({ namespace, name });

const template = ({ name, image }: Shop, { version, script }: Release) => ({
  metadata: { labels: { app: name }, annotations: { 'shop.example.com/release': version } },
  spec: { containers: [{ name, image, command: ['sh', '-c', script] }], terminationGracePeriodSeconds: 1 },
});

/** Creates the shop: a managed namespace, and the first release. */
export async function openShop(
  client: KubeClient,
  shop: Shop,
  { release = GOOD, environment = 'development' }: { readonly release?: Release; readonly environment?: string } = {},
): Promise<void> {
  await ensureNamespace(client, shop.namespace, { [LABELS.managed]: 'true', [LABELS.environment]: environment });
  const labels = { app: shop.name };
  try {
    await client.create(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...keyOfShop(shop), labels },
      spec: { replicas: REPLICAS, selector: { matchLabels: labels }, template: template(shop, release) },
    });
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}

/** Rolls a release out over the one before. */
export const rollOut = (client: KubeClient, shop: Shop, release: Release): Promise<Deployment> =>
  client.patch(Deployment, keyOfShop(shop), { type: 'merge', body: { spec: { template: template(shop, release) } } });

/** Waits until every pod of the present release is ready. */
export const untilReady = (client: KubeClient, { namespace, name }: Shop, signal: AbortSignal): Promise<Deployment> =>
  until(client, { resource: Deployment, namespace }, (all) => all.find((one) => one.metadata.name === name && isRolledOut(one)), signal);

/** Whether all pods of the present template are ready, and no older ones are left. */
export function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const wanted = spec.replicas ?? 1;
  const counts = [status?.replicas, status?.updatedReplicas, status?.readyReplicas];
  return status?.observedGeneration === metadata.generation && counts.every((count) => count === wanted);
}

/** The release in the spec of the Deployment. */
export const releaseOf = ({ spec }: Deployment): string | undefined => spec.template.metadata?.annotations?.['shop.example.com/release'];

/** Waits until a pod is in CrashLoopBackOff. */
export const untilCrashLoop = (client: KubeClient, { namespace, name }: Shop, signal: AbortSignal): Promise<Pod> =>
  until(client, { resource: Pod, namespace, labelSelector: `app=${name}` }, (pods) => pods.find(isCrashLooping), signal);

export const isCrashLooping = ({ status }: Pod): boolean =>
  status?.containerStatuses?.some(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff') ?? false;

/** The webhook that Alertmanager sends for a pod in CrashLoopBackOff. */
export function crashLoopAlert({ metadata: { namespace = '', name: pod } }: Pick<Pod, 'metadata'>, now: Instant): object {
  return webhook({ namespace, pod }, `Pod ${namespace}/${pod} restarts again and again`, now);
}

/** A webhook of Alertmanager with one firing alert. */
export function webhook(about: Readonly<Record<string, string>>, summary: string, now: Instant): object {
  const labels = { alertname: 'KubePodCrashLooping', severity: 'critical', ...about };
  const annotations = { summary };
  const alert = { status: 'firing', labels, annotations, startsAt: toTime(now), endsAt: '0001-01-01T00:00:00Z', generatorURL: '' };
  return {
    version: '4',
    groupKey: '{}:{alertname="KubePodCrashLooping"}',
    truncatedAlerts: 0,
    status: 'firing',
    receiver: 'sickbay',
    groupLabels: { alertname: labels.alertname },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: '',
    alerts: [alert],
  };
}
