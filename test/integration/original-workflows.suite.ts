/** RemediationWorkflow documents as people wrote them for the original system: a server takes them as they are, and keeps all they say. */
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Namespace, RemediationWorkflow, type Draft } from '../../src/api/index.ts';
import { after, MINUTE, systemClock } from '../../src/base/index.ts';
import { whyUnusable } from '../../src/analyst/index.ts';
import { snapshotWorkflow } from '../../src/controllers/plan/snapshot-workflow.ts';
import { firstFault } from '../../src/controllers/execution/admission/validate-plan.ts';
import type { KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';

const NAMESPACE = 'kubernaut-system';

/** Every field that the original kind has, in the forms that it allows. */
const DOCUMENTS = `
apiVersion: kubernaut.ai/v1alpha1
kind: RemediationWorkflow
metadata:
  name: crashloop-rollback-v1
  namespace: kubernaut-system
spec:
  version: "1.0.0"
  actionType: RollbackDeployment
  description:
    what: "Rolls a Deployment back to its previous revision"
    whenToUse: "CrashLoopBackOff after a change of configuration"
    whenNotToUse: "The previous revision is broken too"
    preconditions: "The Deployment has at least two revisions"
  labels:
    severity: [critical, high]
    environment: [production, staging, "*"]
    component: [deployment]
    priority: "*"
  execution:
    engine: job
    bundle: quay.io/kubernaut-cicd/test-workflows/crashloop-rollback:v1.0.0
  parameters:
    - name: TARGET_RESOURCE_NAMESPACE
      type: string
      required: true
      description: "Namespace of the Deployment"
    - name: TARGET_RESOURCE_NAME
      type: string
      required: true
      description: "Name of the Deployment"
---
apiVersion: kubernaut.ai/v1alpha1
kind: RemediationWorkflow
metadata:
  name: fix-certificate-gitops-v1
  namespace: kubernaut-system
spec:
  version: v2.1.0-rc.1+build.7
  actionType: FixCertificate
  description: { what: reverts a commit, whenToUse: a Git-managed certificate is broken }
  labels:
    severity: [critical]
    environment: ["*"]
    component: ["*"]
    priority: P1
    cluster: [eu-1, eu-2]
  customLabels:
    team: platform
    tier: "*"
  detectedLabels:
    gitOpsManaged: "true"
    gitOpsTool: "*"
  execution:
    bundle: quay.io/kubernaut-cicd/test-workflows/fix-certificate@sha256:1111111111111111111111111111111111111111111111111111111111111111
    bundleDigest: sha256:1111111111111111111111111111111111111111111111111111111111111111
    serviceAccountName: fix-certificate
  dependencies:
    secrets:
      - name: gitea-repo-creds
    configMaps:
      - name: gitops-settings
  parameters:
    - name: GIT_BRANCH
      type: string
      required: false
      description: "Branch"
      default: main
      pattern: "^[a-z][a-z0-9-]*$"
  rollbackParameters:
    - name: GIT_COMMIT
      type: string
      required: true
      description: "Commit to go back to"
  maintainers:
    - name: Platform team
      email: platform@example.com
---
apiVersion: kubernaut.ai/v1alpha1
kind: RemediationWorkflow
metadata:
  name: ansible-restart-v1
  namespace: kubernaut-system
spec:
  version: 1.0.0
  actionType: RestartPod
  description:
    what: restarts pods by a playbook
    whenToUse: pods hang
  labels:
    severity: [low, medium, high, critical]
    environment: [test]
    component: [pod]
    priority: "*"
  execution:
    engine: ansible
    bundle: https://github.com/example/playbooks
    bundleDigest: 0f7efe2a45ad14d3f8e59be60f7efe2a45ad14d3
    engineConfig:
      playbookPath: playbooks/restart.yml
      jobTemplateName: kubernaut-restart
      inventoryName: default
  parameters:
    - { name: REPLICAS, type: integer, required: true, description: how many, minimum: 1, maximum: 10, default: 2 }
    - { name: FORCE, type: boolean, required: false, description: at once, default: false, dependsOn: [REPLICAS] }
    - { name: RATIO, type: float, required: false, description: share, minimum: 0.1, maximum: 0.9 }
    - { name: ZONES, type: array, required: false, description: where, default: [a, b] }
    - { name: MODE, type: string, required: false, description: how, enum: [soft, hard] }
`;

/** What the server adds. */
const DEFAULTS: Partial<RemediationWorkflow['spec']['execution']> = { engine: 'tekton' };

const drafts = parseAllDocuments(DOCUMENTS).map((document) => document.toJS() as Draft<RemediationWorkflow>);

export function originalWorkflowsSuite(connect: () => KubeClient): void {
  let client: KubeClient;
  beforeAll(async () => {
    client = connect();
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    await installKinds([RemediationWorkflow], { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
  });

  test.each(drafts)('$metadata.name is taken as it is', async (draft) => {
    const created = await client.create(RemediationWorkflow, draft);
    expect(created.spec).toEqual({ ...draft.spec, execution: { ...DEFAULTS, ...draft.spec.execution } });
  });

  test.each(drafts)('and $metadata.name can be planned with', async ({ metadata: { name = '' } }) => {
    const entry = await client.get(RemediationWorkflow, { namespace: NAMESPACE, name });
    expect(whyUnusable(entry)).toBeUndefined();
    const {
      confidence: _,
      rationale: __,
      parameters: ___,
      ...workflowRef
    } = snapshotWorkflow(entry, { confidence: 1, rationale: '', parameters: {} });
    expect(firstFault({ workflowRef, targetResource: 'shop/Deployment/checkout' })).toBeUndefined();
  });
}
