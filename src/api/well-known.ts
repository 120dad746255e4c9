/** Labels on the cluster's own objects and on the runs that we create. */
export const LABELS = {
  /** `true` or `false` on a resource or its namespace: whether it may be remediated. */
  managed: 'kubernaut.ai/managed',
  /** `true` on a namespace: remediations of what lives there stop after the analysis. */
  dryRun: 'kubernaut.ai/dry-run',
  workflowExecution: 'kubernaut.ai/workflow-execution',
  /** UID of the WorkflowExecution: what tells our run from an older one of the same name. */
  workflowExecutionUid: 'kubernaut.ai/workflow-execution-uid',
  workflowId: 'kubernaut.ai/workflow-id',
  targetResource: 'kubernaut.ai/target-resource',
  sourceNamespace: 'kubernaut.ai/source-namespace',
  executionEngine: 'kubernaut.ai/execution-engine',
  environment: 'kubernaut.ai/environment',
  team: 'kubernaut.ai/team',
  tier: 'kubernaut.ai/tier',
  costCenter: 'kubernaut.ai/cost-center',
  region: 'kubernaut.ai/region',
  businessUnit: 'kubernaut.ai/business-unit',
  serviceOwner: 'kubernaut.ai/service-owner',
  managedBy: 'app.kubernetes.io/managed-by',
  component: 'app.kubernetes.io/component',
  clusterName: 'cluster.x-k8s.io/cluster-name',
  controlPlane: 'cluster.x-k8s.io/control-plane',
  watchFilter: 'cluster.x-k8s.io/watch-filter',
  /** On a Machine: the MachineSet that made it. */
  setName: 'cluster.x-k8s.io/set-name',
  /** On a Machine and on Nodes: which Nodes may become its Node. */
  machinePool: 'machines.sickbay.dev/pool',
  /** On Nodes of a pool: the namespace whose Machines may claim them. */
  machinePoolNamespace: 'machines.sickbay.dev/pool-namespace',
} as const;

export const ANNOTATIONS = {
  /** Set on a RemediationRequest by the user who cancels it; the value is the reason. */
  cancel: 'kubernaut.ai/cancel',
  /** Set on a RemediationRequest by the user who has it run in spite of change freezes; the value is the reason. */
  overrideFreeze: 'kubernaut.ai/override-freeze',
  /** Who set `overrideFreeze`; admission compares it with the requester, and requires the right. */
  overrideFreezeBy: 'kubernaut.ai/override-freeze-by',
  /** Who set `cancel`; admission compares it with the requester. */
  cancelBy: 'kubernaut.ai/cancel-by',
  /** The person who asked for a RemediationRequest; absent on what an alert asked for. Admission compares it with the requester. */
  requestedBy: 'kubernaut.ai/requested-by',
  /** On what a workflow changed: what it did and how that is rolled back, as JSON. */
  undo: 'kubernaut.ai/undo',
  createdAt: 'kubernaut.ai/created-at',
  /** The exact target of a run; the label of the same name is shortened. */
  targetResource: 'kubernaut.ai/target-resource',
  /** On a lock: the failure that keeps workflows off its target after the WorkflowExecution is gone, as JSON. */
  block: 'kubernaut.ai/block',
  /** Who lifted it, why and when; admission compares the name with the requester. On a RemediationRequest: who lifted the suppression of its signals. */
  blockClearedBy: 'kubernaut.ai/block-cleared-by',
  blockClearReason: 'kubernaut.ai/block-clear-reason',
  blockClearedAt: 'kubernaut.ai/block-cleared-at',
  paused: 'cluster.x-k8s.io/paused',
  skipRemediation: 'cluster.x-k8s.io/skip-remediation',
  remediateMachine: 'cluster.x-k8s.io/remediate-machine',
  clonedFromName: 'cluster.x-k8s.io/cloned-from-name',
  clonedFromGroupKind: 'cluster.x-k8s.io/cloned-from-groupkind',
  /** On a Node: whose it is, as namespace/name/uid of the Machine. */
  nodeClaim: 'machines.sickbay.dev/claimed-by',
} as const;

export const FINALIZERS = {
  workflowExecution: 'workflowexecution.kubernaut.ai/workflowexecution-cleanup',
  machineRemediation: 'remediation.sickbay.dev',
  machineLifecycle: 'machines.sickbay.dev/lifecycle',
} as const;

/** What the ConfigMap is called that holds the budget's claims. */
export const BUDGET_LEDGER = 'sickbay-budget';
