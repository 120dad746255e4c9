import { enumOf, flag, list, object, optional } from '../schema/index.ts';

const LABELS = [
  'gitOpsManaged',
  'pdbProtected',
  'hpaEnabled',
  'stateful',
  'helmManaged',
  'networkIsolated',
  'serviceMesh',
  'resourceQuotaConstrained',
  'gitOpsTool',
  'virtualMachine',
  'liveMigratable',
  'cdiManaged',
  'storageBackend',
] as const;

/** What kind of workload the target is, as far as it could be told. */
export const detectedLabels = () =>
  object('What kind of workload the target is.', {
    gitOpsManaged: flag('Whether a GitOps tool owns it.'),
    gitOpsTool: optional(enumOf('Which one.', ['argocd', 'flux', ''])),
    pdbProtected: flag('Whether a PodDisruptionBudget covers it.'),
    hpaEnabled: flag('Whether an autoscaler changes its replicas.'),
    stateful: flag('Whether it keeps state.'),
    helmManaged: flag('Whether Helm installed it.'),
    networkIsolated: flag('Whether a NetworkPolicy covers it.'),
    serviceMesh: optional(enumOf('Service mesh that it is part of.', ['istio', 'linkerd', ''])),
    resourceQuotaConstrained: flag('Whether a ResourceQuota limits its namespace.'),
    virtualMachine: optional(flag('Whether it is a virtual machine.')),
    liveMigratable: optional(flag('Whether it can move to another node while it runs.')),
    cdiManaged: optional(flag('Whether its disks are imported by CDI.')),
    storageBackend: optional(enumOf('Storage below it.', ['odf-ceph', 'lvms', 'local', ''])),
    failedDetections: optional(list('Labels that could not be determined; their values mean nothing.', enumOf('One of them.', LABELS))),
  });
