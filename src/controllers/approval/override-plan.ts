import { checkParameters, whyUnusable } from '../../analyst/index.ts';
import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { sameJson } from '../../base/index.ts';
import { snapshotWorkflow } from '../plan/snapshot-workflow.ts';
import { firstFault } from '../execution/admission/validate-plan.ts';
import { describeWorkflow, planSpecOf, type RemediationPlan, type SelectedWorkflow } from '../plan/remediation-plan.ts';
import { planDigest, targetParameters } from '../target/index.ts';

/** The approver's changes to the proposed plan. */
export type Override = NonNullable<NonNullable<RemediationApprovalRequest['status']>['workflowOverride']>;

/** The changed plan, or why it is refused. */
export type Overridden =
  { readonly kind: 'plan'; readonly plan: RemediationPlan; readonly changes: string } | { readonly kind: 'refused'; readonly why: string };

type Values = Readonly<Record<string, string>>;

/** Whether the approver changed anything. */
export const changesPlan = (override: Override | undefined): override is Override =>
  Boolean(override?.workflowName) || override?.parameters !== undefined;

/** The catalogue's workflow that an override names: another one, or the proposed one with other parameters. */
export const overridingWorkflow = ({ workflow }: RemediationPlan, { workflowName }: Override): string =>
  workflowName || (workflow.workflowName ?? workflow.workflowId);

/**
 * The plan with the approver's changes: everything about the workflow comes from the catalogue, the parameters fit what it declares, and
 * the target stays the one that was analysed. It has a digest of its own.
 */
export function applyOverride(plan: RemediationPlan, override: Override, workflow: RemediationWorkflow): Overridden {
  const objection = unfit(plan, override, workflow);
  if (objection !== undefined) return refused(workflow, objection);
  const checked = checkParameters(workflow.spec.parameters, { ...wanted(plan, override), ...targetParameters(plan.target) });
  if (checked.kind === 'unfit') return refused(workflow, `cannot take these parameters: ${checked.problems.join(', ')}`);
  const selected = snapshotWorkflow(workflow, {
    confidence: plan.workflow.confidence,
    rationale: override.rationale || workflow.spec.description.what,
    parameters: checked.parameters,
    ...(plan.workflow.selectedAt !== undefined && { selectedAt: plan.workflow.selectedAt }),
  });
  return checkedAgain(plan, selected, workflow);
}

function checkedAgain(plan: RemediationPlan, selected: SelectedWorkflow, workflow: RemediationWorkflow): Overridden {
  const order = planSpecOf(selected, plan.target);
  if (isProposed(plan, workflow) && !sameJson(planSpecOf(plan.workflow, plan.target).workflowRef, order.workflowRef))
    return refused(workflow, 'changed in the catalogue since it was proposed');
  const fault = firstFault(order);
  if (fault !== undefined) return refused(workflow, `cannot be run like this: ${fault}`);
  return {
    kind: 'plan',
    plan: { ...plan, workflow: selected, digest: planDigest(order) },
    changes: changesBetween(plan.workflow, selected),
  };
}

const refused = ({ metadata }: RemediationWorkflow, why: string): Overridden => ({ kind: 'refused', why: `${metadata.name} ${why}` });

const isProposed = ({ workflow }: RemediationPlan, { metadata }: RemediationWorkflow): boolean =>
  metadata.name === (workflow.workflowName ?? workflow.workflowId);

/** Why the workflow must not replace the proposal, whatever its parameters. */
function unfit(plan: RemediationPlan, override: Override, workflow: RemediationWorkflow): string | undefined {
  const unusable = whyUnusable(workflow);
  if (unusable !== undefined) return unusable;
  if (workflow.spec.dryRun === true) return 'is marked dryRun, so it is never run';
  const { kind } = plan.target;
  const { component } = workflow.spec.labels;
  if (!component.some((entry) => entry === '*' || entry.toLowerCase() === kind.toLowerCase()))
    return `is for ${component.join(', ')}, not for a ${kind}`;
  return badlyTold(plan, override.parameters ?? {}, workflow);
}

/** Refuses undeclared parameters: the approver would expect them to have an effect. */
function badlyTold({ target }: RemediationPlan, given: Values, { spec }: RemediationWorkflow): string | undefined {
  const undeclared = Object.keys(given).filter((name) => !spec.parameters.some((declared) => declared.name === name));
  if (undeclared.length > 0) return `does not declare ${undeclared.toSorted().join(', ')}`;
  const own = targetParameters(target);
  const other = Object.keys(own).find((name) => Object.hasOwn(given, name) && given[name] !== own[name]);
  return other && `must be given the target that was analysed: ${other} is ${own[other] ?? ''}, not ${given[other] ?? ''}`;
}

/** Given parameters replace all others; without any, those of the proposal stay as far as the workflow declares them. */
const wanted = ({ workflow }: RemediationPlan, { parameters }: Override): Values => parameters ?? workflow.parameters ?? {};

/** How the plan differs from the proposal. The target is the same, so its parameters are left out. */
function changesBetween(before: SelectedWorkflow, after: SelectedWorkflow): string {
  const [from, to] = [describeWorkflow(before), describeWorkflow(after)];
  if (from !== to) return `${to}${inBrackets(after)} instead of ${from}${inBrackets(before)}`;
  const [old, now] = [ownParameters(before), ownParameters(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  return [to, ...names.flatMap((name) => changeOf(name, old[name], now[name]) ?? [])].join(', ');
}

function changeOf(name: string, old: string | undefined, now: string | undefined): string | undefined {
  if (old === now) return undefined;
  if (now === undefined) return `without ${name}, which was ${old}`;
  return old === undefined ? `${name}=${now} added` : `${name}=${now} instead of ${old}`;
}

const ownParameters = ({ parameters = {} }: SelectedWorkflow): Values =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !name.startsWith('TARGET_RESOURCE_')));

function inBrackets(selected: SelectedWorkflow): string {
  const own = Object.entries(ownParameters(selected)).map(([name, value]) => `${name}=${value}`);
  return own.length === 0 ? '' : ` (${own.join(', ')})`;
}
