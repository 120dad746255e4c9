import { checkParameters } from '../../../analyst/index.ts';
import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { PlanFault } from './fault.ts';

type Declarations = RemediationWorkflow['spec']['parameters'];
type Values = Readonly<Record<string, string>>;

/**
 * What is wrong with the values of a plan, held against what the workflow declares. Nothing is left out or filled in here: that would be
 * another plan than the one that was agreed to.
 */
export function parameterFault(declarations: Declarations, given: Values): PlanFault | undefined {
  const declared = declarations.map(({ name }) => name);
  const undeclared = Object.keys(given).filter((name) => !declared.includes(name));
  if (undeclared.length > 0)
    return {
      message: `the workflow does not declare ${undeclared.toSorted().join(', ')}`,
      advice: `It takes ${declared.join(', ')}: leave out what it does not know, or declare it.`,
    };
  const checked = checkParameters(declarations, given);
  if (checked.kind === 'unfit')
    return { message: `parameter ${checked.problems.join('; ')}`, advice: 'Correct the value, or what the workflow declares.' };
  return unfilled(checked.parameters, given);
}

/** The analysis fills in defaults before the plan is approved. */
function unfilled(complete: Values, given: Values): PlanFault | undefined {
  const missing = Object.entries(complete).filter(([name]) => !Object.hasOwn(given, name));
  if (missing.length === 0) return undefined;
  return {
    message: `parameter ${missing.map(([name]) => name).join(', ')} is not given, and a default was no part of the plan that was agreed to`,
    advice: `Plan it with ${missing.map(([name, value]) => `${name}=${value}`).join(', ')}.`,
  };
}
