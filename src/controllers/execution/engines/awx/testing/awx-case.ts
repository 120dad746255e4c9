import type { WorkflowExecution } from '../../../../../api/workflow-execution/workflow-execution.ts';
import type { Effect } from '../../../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../../../default-settings.ts';
import type { Settings } from '../../../../settings.ts';
import { anExecution, aRequest, found, UNREADABLE, type Everything } from '../../../testing/builders.ts';
import type { AwxItem } from '../client/awx-api.ts';
import type { AwxStep } from '../awx-step.ts';
import { AWX_FINALIZER } from '../awx-finalizer.ts';
import type { AwxJob, AwxProgress, AwxStart, ObservedAwx, AwxTemplate } from '../observed-awx.ts';
import { neededCredentials } from '../launch/needed-credentials.ts';
import { planDigest } from '../../../../target/index.ts';

export const SETTINGS: Settings = { ...DEFAULT_SETTINGS, ansible: { ...DEFAULT_SETTINGS.ansible, apiURL: 'https://awx.example.com' } };

/** An execution whose workflow is a job template. */
export function aPlaybook(
  change: {
    readonly status?: WorkflowExecution['status'];
    readonly isTouched?: boolean;
    readonly spec?: Partial<WorkflowExecution['spec']>;
  } = {},
): WorkflowExecution {
  const { spec } = anExecution();
  const execution = anExecution({
    spec: {
      parameters: { REPLICAS: '3' },
      workflowRef: {
        ...spec.workflowRef,
        executionEngine: 'ansible',
        engineConfig: { jobTemplateName: 'mend' },
        serviceAccountName: 'mender',
      },
      ...change.spec,
    },
    status: change.status ?? { phase: 'Pending' },
  });
  const finalizers = change.isTouched === false ? [] : [AWX_FINALIZER];
  return { ...execution, metadata: { ...execution.metadata, finalizers } };
}

export const aCase = (
  awx: ObservedAwx,
  object = aPlaybook(),
): Pick<Everything, 'object' | 'settings' | 'history' | 'request' | 'target'> & { readonly awx: ObservedAwx } => ({
  object,
  settings: SETTINGS,
  history: { kind: 'value', value: [] },
  request: found(aRequest({ planDigest: planDigest(object.spec) })),
  target: UNREADABLE,
  awx,
});

export const aTemplate = (change: Partial<AwxTemplate> = {}): AwxTemplate => ({
  id: 7,
  credentials: [5, 6],
  asksVariables: true,
  asksCredentials: true,
  needsInventory: false,
  passwordsNeeded: [],
  variablesNeeded: [],
  ...change,
});

/** Nothing is there yet but the template. */
export const aStart = (change: Partial<AwxStart> = {}): AwxStart => ({
  kind: 'start',
  template: found(aTemplate()),
  secrets: [],
  configMaps: [],
  account: { name: 'mender', isNamed: true, read: found(true) },
  types: [],
  credentials: [],
  ...change,
});

/** All that an execution wants in AWX, made: types from 20, credentials from 40 on. */
export function made(
  object = aPlaybook(),
  secrets: readonly { readonly name: string; readonly keys: readonly string[] }[] = [],
  account: string | undefined = 'mender',
) {
  const wanted = neededCredentials(object, { secrets, account });
  const item =
    (from: number) =>
    (one: (typeof wanted)[number], index: number): AwxItem => ({ id: from + index, name: one.name, fields: { injectors: one.injectors } });
  return { types: wanted.map(item(20)), credentials: wanted.map(item(40)) };
}

export const aJob = (change: Partial<AwxJob> = {}): AwxJob => ({ id: 77, status: 'running', hasStarted: true, explanation: '', ...change });

export const aProgress = (change: Partial<AwxProgress> = {}): AwxProgress => ({
  kind: 'progress',
  job: found(aJob()),
  credentials: [],
  ...change,
});

/** The AWX steps of a decision. */
export const stepsIn = (effects: readonly Effect[]): readonly AwxStep[] =>
  effects.flatMap((effect) => (effect.kind === 'Call' ? [effect.input as AwxStep] : []));
