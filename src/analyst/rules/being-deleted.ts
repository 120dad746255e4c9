import type { Diagnosis } from '../diagnosis.ts';
import { describeCommand, targetName, type DeploymentEvidence } from '../evidence.ts';

/** Nothing is remediated of what is being deleted. */
export function beingDeleted({ deployment, target }: DeploymentEvidence): Diagnosis | undefined {
  const { deletionTimestamp, finalizers = [] } = deployment.metadata;
  if (deletionTimestamp === undefined) return undefined;
  const held = finalizers.length > 0 ? `, held by finalizers ${finalizers.join(', ')}` : '';
  return {
    kind: 'Unclear',
    reason: `${targetName(target)} is being deleted since ${deletionTimestamp}${held}`,
    advice: `see what still holds it: ${describeCommand(target)}`,
  };
}
