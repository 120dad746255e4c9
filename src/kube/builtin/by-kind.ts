import type { KubeObject } from '../meta.ts';
import { apiVersionOf, type Resource } from '../resource.ts';
import { ConfigMap, Namespace, Node, PersistentVolumeClaim, Service } from './core.ts';
import { Pod } from './pod.ts';
import {
  Certificate,
  CronJob,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  PodDisruptionBudget,
  ReplicaSet,
  StatefulSet,
} from './workloads.ts';

/** The kinds that a signal may be about or that own what it is about. */
export const KNOWN_RESOURCES: readonly Resource[] = [
  Deployment,
  StatefulSet,
  DaemonSet,
  ReplicaSet,
  CronJob,
  Job,
  Pod,
  Service,
  Ingress,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  Certificate,
  ConfigMap,
  Node,
  Namespace,
];

/**
 * How a kind that others name by words is addressed; undefined when it is not one that we know. The version may be absent, as in alerts.
 * @example resourceOfKind('Deployment', 'apps/v1') === Deployment
 */
export const resourceOfKind = (kind: string, apiVersion?: string): Resource<KubeObject> | undefined =>
  KNOWN_RESOURCES.find((resource) => resource.kind === kind && (!apiVersion || apiVersionOf(resource) === apiVersion));
