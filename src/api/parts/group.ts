/** API group and version of the pipeline's kinds. */
export const PIPELINE = { group: 'kubernaut.ai', version: 'v1alpha1', categories: ['sickbay'] } as const;

/** API group of Machines and their checks. */
export const CLUSTER_API = 'cluster.x-k8s.io';

/** API group and version of our own machine remediators. */
export const REMEDIATION = { group: 'remediation.sickbay.dev', version: 'v1alpha1', categories: ['sickbay'] } as const;
