import { createHash } from 'node:crypto';
import type { Container, Job, PodSpec, Volume } from '../../../../api/builtin/index.ts';
import type { Draft } from '../../../../api/meta.ts';
import { LABELS } from '../../../../api/well-known.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { parseDuration, parseTime, SECOND, type Instant } from '../../../../base/index.ts';
import { HELD_JOB } from '../../../../runtime/reconcile/release-suspended-runs.ts';
import { marksOf, runName } from '../../names.ts';
import { LONGEST_RUN_MS } from '../../run/deadlines.ts';

/** The one container of a run. */
export const CONTAINER = 'workflow';

/** What a workflow that names no account of its own runs as; it is meant to have no rights to speak of. */
export const COMMON_ACCOUNT = 'kubernaut-workflow-runner';

/**
 * The Job that runs the workflow, once and never again: no second pod, no retry. It is created held, and kept after its end until
 * the cooldown is over.
 */
export function jobDraft(execution: WorkflowExecution, namespace: string, now: Instant): Draft<Job> {
  const { labels, annotations } = marksOf(execution);
  const podLabels = { ...labels, [LABELS.executionEngine]: 'job' };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: runName(execution.spec), namespace, labels: podLabels, annotations },
    spec: {
      ...HELD_JOB,
      backoffLimit: 0,
      podReplacementPolicy: 'Failed',
      activeDeadlineSeconds: secondsLeft(execution.spec, now),
      template: { metadata: { labels: podLabels, annotations }, spec: podSpec(execution) },
    },
  };
}

export function secondsLeft({ timesOutAt, executionConfig }: WorkflowExecution['spec'], now: Instant): number {
  const end = parseTime(timesOutAt);
  const ms = end === undefined ? (parseDuration(executionConfig?.timeout ?? '') ?? LONGEST_RUN_MS) : end - now;
  return Math.max(1, Math.floor(ms / SECOND));
}

function podSpec(execution: WorkflowExecution): PodSpec {
  const { workflowRef } = execution.spec;
  const volumes = volumesOf(workflowRef.dependencies);
  return {
    serviceAccountName: workflowRef.serviceAccountName ?? COMMON_ACCOUNT,
    restartPolicy: 'Never',
    securityContext: { runAsNonRoot: true, ...userOf(workflowRef.engineConfig), seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container(execution, volumes)],
    volumes: volumes.map(({ volume }) => volume),
  };
}

function container({ metadata, spec }: WorkflowExecution, volumes: readonly Mounted[]): Container {
  const { engineConfig, resources } = spec.workflowRef;
  const pinned = spec.targetUID === undefined ? {} : { TARGET_UID: spec.targetUID };
  const system = { TARGET_RESOURCE: spec.targetResource, ...pinned, WORKFLOW_EXECUTION: metadata.name, HOME: '/tmp', TMPDIR: '/tmp' };
  const variables = { ...spec.parameters, ...system };
  return {
    name: CONTAINER,
    image: imageOf(spec.workflowRef),
    ...words('command', engineConfig),
    ...words('args', engineConfig),
    env: Object.entries(variables).map(([name, value]) => ({ name, value })),
    ...(resources ? { resources } : {}),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: volumes.map(({ volume, mountPath, readOnly }) => ({ name: volume.name, mountPath, ...(readOnly ? { readOnly } : {}) })),
  };
}

/** By its digest where the catalogue pins one: a tag may have been moved since. */
export const imageOf = ({ executionBundle, executionBundleDigest }: WorkflowExecution['spec']['workflowRef']): string =>
  executionBundleDigest === undefined || executionBundle.includes('@') ? executionBundle : `${executionBundle}@${executionBundleDigest}`;

/** A list of words out of settings that the API does not check. */
function words(member: 'command' | 'args', config: Readonly<Record<string, unknown>> | undefined): { readonly [member: string]: string[] } {
  const value = config?.[member];
  return Array.isArray(value) && value.length > 0 ? { [member]: value.map(String) } : {};
}

/** The image's own user when the workflow names none; root is refused either way. */
export function userOf(config: Readonly<Record<string, unknown>> | undefined): { readonly runAsUser?: number } {
  const user = config?.['runAsUser'];
  return Number.isInteger(user) && Number(user) > 0 ? { runAsUser: Number(user) } : {};
}

interface Mounted {
  readonly volume: Volume;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

/** A place to write to, and what the workflow said it reads. */
function volumesOf(dependencies: WorkflowExecution['spec']['workflowRef']['dependencies']): readonly Mounted[] {
  return [
    { volume: { name: 'tmp', emptyDir: {} }, mountPath: '/tmp' },
    ...namesIn(dependencies?.secrets).map((name) => ({
      volume: { name: volumeName('secret', name), secret: { secretName: name } },
      mountPath: `/run/kubernaut/secrets/${name}`,
      readOnly: true,
    })),
    ...namesIn(dependencies?.configMaps).map((name) => ({
      volume: { name: volumeName('configmap', name), configMap: { name } },
      mountPath: `/run/kubernaut/configmaps/${name}`,
      readOnly: true,
    })),
  ];
}

/** Each once: the same volume twice is no Job. */
export const namesIn = (named: readonly { readonly name: string }[] = []): readonly string[] => [...new Set(named.map(({ name }) => name))];

const VOLUME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Volumes take neither the length nor the dots that names of Secrets and ConfigMaps may have. */
function volumeName(kind: 'secret' | 'configmap', name: string): string {
  const plain = `${kind}-${name}`;
  return VOLUME.test(plain) ? plain : `${kind}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}
