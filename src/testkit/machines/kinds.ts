import type { CustomResourceDefinition } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { Draft, KubeObject } from '../../api/meta.ts';
import { CLUSTER_API } from '../../api/parts/group.ts';
import { PowerCycleRemediation } from '../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { PowerCycleRemediationTemplate } from '../../api/power-cycle-remediation/power-cycle-remediation-template.ts';
import { resourceName, type Resource } from '../../api/resource.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { deepFreeze } from '../../base/index.ts';

/** Two request kinds of external remediators, related to their templates by name only, and one kind of Sickbay itself. */
export const REMEDY_NAMES = ['Reboot', 'Swap', 'PowerCycleRemediation'] as const;
export type RemedyName = (typeof REMEDY_NAMES)[number];

const foreign = (group: string, kind: string, plural: string): Resource => ({ group, version: 'v1', kind, plural, namespaced: true });

/** The requests that remediators act on, and the templates that they are made from. */
export const REMEDIES: Readonly<Record<RemedyName, Resource>> = {
  Reboot: foreign('fix.example.com', 'Reboot', 'reboots'),
  Swap: foreign('fix.example.com', 'Swap', 'swaps'),
  PowerCycleRemediation,
};
export const TEMPLATES: Readonly<Record<RemedyName, Resource>> = {
  Reboot: foreign('fix.example.com', 'RebootTemplate', 'reboottemplates'),
  Swap: foreign('fix.example.com', 'SwapTemplate', 'swaptemplates'),
  PowerCycleRemediation: PowerCycleRemediationTemplate,
};

/** The owner of Machines. */
export const MachineSet: Resource<KubeObject> = { ...foreign(CLUSTER_API, 'MachineSet', 'machinesets'), version: 'v1beta2' };

const FOREIGN = [REMEDIES.Reboot, REMEDIES.Swap, TEMPLATES.Reboot, TEMPLATES.Swap, MachineSet];

/** The definitions that the server needs. */
export const CRDS: readonly Draft<CustomResourceDefinition>[] = [
  ...[Machine, MachineHealthCheck, PowerCycleRemediation, PowerCycleRemediationTemplate, WorkflowExecution].map(crdOf),
  ...FOREIGN.map(definitionOf),
].map((crd) => deepFreeze(crd));

function definitionOf(kind: Resource): Draft<CustomResourceDefinition> {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: resourceName(kind) },
    spec: {
      group: kind.group,
      scope: 'Namespaced',
      names: { kind: kind.kind, plural: kind.plural },
      versions: [{ name: kind.version, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } }],
    },
  };
}
