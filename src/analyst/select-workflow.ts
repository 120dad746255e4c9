import { isParameterName } from '../api/parts/parameter-name.ts';
import type { RemediationWorkflow } from '../api/remediation-workflow/remediation-workflow.ts';
import { checkParameters } from './check-parameters.ts';
import { lastResultOf, type RemediationEffect, type EarlierRemediation, type RemediationResult } from './remediation-history.ts';

/** What a workflow must match to be selected. */
export interface WorkflowRequirements {
  readonly actionType: string;
  readonly severity: string;
  /** Kind of the target. */
  readonly component: string;
  readonly environment: string;
  readonly priority: string;
  /** Empty for the local cluster. */
  readonly cluster?: string;
  readonly customLabels?: Readonly<Record<string, readonly string[]>>;
  readonly parameters: Readonly<Record<string, string>>;
}

export type Selection =
  | {
      readonly kind: 'Selected';
      readonly workflow: RemediationWorkflow;
      readonly parameters: Readonly<Record<string, string>>;
      /** What the history says about the selection, one sentence each. */
      readonly notes: readonly string[];
    }
  /** `unfit` says that workflows would fit if only their parameters did. */
  | { readonly kind: 'None'; readonly cause: 'no-match' | 'unfit'; readonly reason: string };

/** With what it did for the target when it last ran there. */
interface Fitting extends RemediationResult {
  readonly workflow: RemediationWorkflow;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * A workflow of the catalogue that fits the circumstances and takes the parameters: one that helped the target before rather than one of
 * which nothing is known, and that rather than one that did not help; of several that helped the one whose score counts for more; among equals
 * the first by name.
 */
export function selectWorkflow(
  catalogue: readonly RemediationWorkflow[],
  wanted: WorkflowRequirements,
  past: readonly EarlierRemediation[] = [],
): Selection {
  const candidates = catalogue.filter(({ spec }) => spec.actionType === wanted.actionType).toSorted(byName);
  const fitting: Fitting[] = [];
  const refusals: string[] = [];
  let cause: 'no-match' | 'unfit' = 'no-match';
  for (const workflow of candidates) {
    const objection = FILTERS.map((filter) => filter(workflow, wanted)).find((said) => said !== undefined);
    if (objection !== undefined) {
      refusals.push(`${workflow.metadata.name} ${objection}`);
      continue;
    }
    const checked = checkParameters(workflow.spec.parameters, wanted.parameters);
    if (checked.kind === 'fit') {
      fitting.push({ workflow, parameters: checked.parameters, ...lastResultOf(identityOf(workflow), past) });
      continue;
    }
    cause = 'unfit';
    refusals.push(`${workflow.metadata.name}: ${checked.problems.join(', ')}`);
  }
  const [best] = fitting.toSorted(byResult);
  if (best) return { kind: 'Selected', workflow: best.workflow, parameters: best.parameters, notes: notesOn(best, fitting) };
  return { kind: 'None', cause, reason: refusalText(wanted.actionType, refusals) };
}

/** The better result first. */
const byResult = (a: RemediationResult, b: RemediationResult): number => RANK[a.effect] - RANK[b.effect] || b.countedScore - a.countedScore;

const RANK: Readonly<Record<RemediationEffect, number>> = { effective: 0, unknown: 1, ineffective: 2 };

const identityOf = ({ metadata, spec }: RemediationWorkflow) => ({ name: metadata.name, version: spec.version });

/** How the history influenced the selection. */
function notesOn(best: Fitting, fitting: readonly Fitting[]): readonly string[] {
  const name = best.workflow.metadata.name;
  if (best.effect === 'ineffective') return [`${name} did not help this target when it last ran, but no other workflow fits`];
  const left = fitting.filter(({ effect }) => effect === 'ineffective').map(({ workflow }) => workflow.metadata.name);
  return [
    ...(best.effect === 'effective' && fitting.length > 1 ? [`${name} is preferred: it helped this target before`] : []),
    ...left.map((other) => `${other} would fit too, but did not help this target when it last ran`),
  ];
}

const refusalText = (actionType: string, refusals: readonly string[]): string =>
  refusals.length === 0
    ? `the catalogue has no workflow for ${actionType}: add a RemediationWorkflow with this actionType`
    : `no workflow for ${actionType} fits: ${refusals.join('; ')}`;

/** Why a workflow must not be taken; undefined when nothing speaks against it. */
type Filter = (workflow: RemediationWorkflow, wanted: WorkflowRequirements) => string | undefined;

/** Medium is another word for warning, low for info. */
const SAME_SEVERITY: ReadonlyMap<string, string> = new Map([
  ['medium', 'warning'],
  ['low', 'info'],
]);

/** What keeps a workflow from running at all, whatever the circumstances. */
const DEFECTS: readonly ((workflow: RemediationWorkflow) => string | undefined)[] = [
  ({ metadata }) => (metadata.deletionTimestamp === undefined ? undefined : 'is being deleted'),
  ({ status }) => (status?.catalogStatus === undefined || status.catalogStatus === 'Active' ? undefined : `is ${status.catalogStatus}`),
  ({ spec }) => (spec.execution.bundle ? undefined : 'names no bundle to run'),
  // Selecting it would fail every time, and request manual review every time.
  ({ spec }) => badParameter(spec.parameters),
];

function badParameter(declared: RemediationWorkflow['spec']['parameters']): string | undefined {
  const bad = declared.find(({ name }) => !isParameterName(name));
  return bad && `declares the parameter ${JSON.stringify(bad.name)}, which is not in UPPER_SNAKE_CASE`;
}

/** Why a workflow cannot run at all: it is being deleted, is not active, or names no bundle. */
export const whyUnusable = (workflow: RemediationWorkflow): string | undefined =>
  DEFECTS.map((defect) => defect(workflow)).find((said) => said !== undefined);

/** Ordered: the first that objects names the reason shown to people. */
const FILTERS: readonly Filter[] = [
  whyUnusable,
  ({ spec }, { severity }) => unlessListed('severity', spec.labels.severity.map(commonSeverity), commonSeverity(severity)),
  ({ spec }, { component }) => unlessListed('component', spec.labels.component, component),
  ({ spec }, { environment }) => unlessListed('environment', spec.labels.environment, environment),
  ({ spec }, { priority }) => unlessListed('priority', [spec.labels.priority], priority),
  ({ spec }, { cluster }) => unlessListed('cluster', spec.labels.cluster ?? ['*'], cluster ?? ''),
  lacksCustomLabel,
  // What kind of workload the target is has not been found out: a workflow that insists on it cannot be known to fit.
  ({ spec }) => (Object.keys(spec.detectedLabels ?? {}).length === 0 ? undefined : 'asks for detected labels, which are not known'),
];

const commonSeverity = (severity: string): string => SAME_SEVERITY.get(severity.toLowerCase()) ?? severity;

function unlessListed(what: string, listed: readonly string[], value: string): string | undefined {
  const fits = listed.some((entry) => entry === '*' || entry.toLowerCase() === value.toLowerCase());
  return fits ? undefined : `is for ${what} ${listed.join(', ')}, not ${value || 'the local one'}`;
}

function lacksCustomLabel({ spec }: RemediationWorkflow, { customLabels = {} }: WorkflowRequirements): string | undefined {
  const missing = Object.entries(spec.customLabels ?? {}).find(([name, value]) => {
    const values = Object.hasOwn(customLabels, name) ? (customLabels[name] ?? []) : [];
    return value === '*' ? values.length === 0 : !values.includes(value);
  });
  return missing && `is for ${missing[0]}=${missing[1]}`;
}

const byName = (a: RemediationWorkflow, b: RemediationWorkflow): number => (a.metadata.name < b.metadata.name ? -1 : 1);
