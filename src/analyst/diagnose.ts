import { assertNever, type Instant } from '../base/index.ts';
import { throughOwner } from './change-through-owner.ts';
import type { Diagnosis } from './diagnosis.ts';
import { describeCommand, targetName, type DeploymentEvidence, type Evidence } from './evidence.ts';
import { withFindings } from './hand-over.ts';
import { judgeObject } from './judge-object.ts';
import { proved } from './proof-of-health.ts';
import { judgeHealth } from './judge-health.ts';
import { crashLoopAfterRollout } from './rules/crash-loop-after-rollout.ts';
import { beingDeleted } from './rules/being-deleted.ts';
import { outOfMemory } from './rules/out-of-memory.ts';
import { releaseNeverReady } from './rules/release-never-ready.ts';
import { unhealthyNode } from './rules/unhealthy-node.ts';

/** Recognizes one cause; undefined if that is not the cause. */
export type Rule = (evidence: DeploymentEvidence, now: Instant) => Diagnosis | undefined;

/** In order: the first rule that recognizes the cause decides. */
const RULES: readonly Rule[] = [beingDeleted, outOfMemory, crashLoopAfterRollout, releaseNeverReady];

/** Diagnoses the target from the evidence, for the alert of that name where there is one: what is healthy is no proof against every alert. */
export function diagnose(evidence: Evidence, now: Instant, alert?: string): Diagnosis {
  return withFindings(proved(examine(evidence, now), evidence, alert), evidence);
}

function examine(evidence: Evidence, now: Instant): Diagnosis {
  switch (evidence.kind) {
    case 'Unreadable':
      return { kind: 'NotYet', reason: `${targetName(evidence.target)}: ${evidence.reason}` };
    case 'Absent':
      return {
        kind: 'Unclear',
        reason: `${targetName(evidence.target)} does not exist`,
        advice: 'if it was deleted on purpose, remove or silence the alert; otherwise restore it from where it is kept',
      };
    case 'Unsupported':
      return {
        kind: 'Unclear',
        reason: `no rule knows the faults of a ${evidence.target.kind}`,
        advice: `examine ${targetName(evidence.target)}: ${describeCommand(evidence.target)}`,
      };
    case 'Deployment':
      return throughOwner(byRule(evidence, now) ?? judgeHealth(evidence, now), evidence.deployment);
    case 'Object':
      return judgeObject(evidence, now);
    case 'Node':
      return unhealthyNode(evidence, now);
    default:
      return assertNever(evidence);
  }
}

function byRule(evidence: DeploymentEvidence, now: Instant): Diagnosis | undefined {
  for (const rule of RULES) {
    const diagnosis = rule(evidence, now);
    if (diagnosis) return diagnosis;
  }
  return undefined;
}
