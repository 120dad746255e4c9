import {
  Certificate,
  ConfigMap,
  CronJob,
  CustomResourceDefinition,
  DaemonSet,
  Deployment,
  Event,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  Node,
  PersistentVolumeClaim,
  PipelineRun,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  Service,
  StatefulSet,
  SubjectAccessReview,
  TokenReview,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../builtin/index.ts';
import { admissionPolicies } from '../policies/index.ts';
import { resourceName } from '../resource.ts';
import { ACCOUNT, allow, clusterRole, type Grant, type Places } from './grant.ts';

/** What it may read everywhere. It changes nothing there: that is for workflows, under their own accounts. */
export const clusterRights = (places: Places): readonly Grant[] =>
  clusterRole(
    ACCOUNT,
    [
      // A label that lets it work on something may appear at any time.
      ...allow(['get', 'list', 'watch'], [Namespace, Deployment, StatefulSet, DaemonSet, CronJob]),
      ...allow(['get', 'list'], [Pod, ReplicaSet, Job]),
      // What the cluster and the containers say of a fault.
      ...allow(['list'], [Event]),
      ...allow(['get'], [Pod], { subresource: 'log' }),
      // A ConfigMap belongs to the state of the workload that is given it.
      ...allow(['get'], [Service, Node, ConfigMap]),
      // What else an alert may be about.
      ...allow(['get'], [PersistentVolumeClaim, PodDisruptionBudget, HorizontalPodAutoscaler, Ingress, Certificate]),
      // Whether there is a Tekton.
      ...allow(['get'], [CustomResourceDefinition], { names: [resourceName(PipelineRun)] }),
      // Who sends a request to the HTTP API, and what that user may do. Nothing is stored.
      ...allow(['create'], [TokenReview, SubjectAccessReview]),
      // Whether the names of those who decide are checked.
      ...allow(['get'], [ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding], {
        names: admissionPolicies(places.namespace).map(({ name }) => name),
      }),
    ],
    places,
  );
