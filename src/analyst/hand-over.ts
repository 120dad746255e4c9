import type { Pod, PodSpec } from '../api/builtin/index.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { Evidence } from './evidence.ts';
import { likelyCauses } from './findings/likely-causes.ts';
import { podFindings } from './findings/pod-findings.ts';
import { ruledOut } from './findings/ruled-out.ts';
import { configurationText, surroundingFindings } from './findings/surrounding-findings.ts';
import { podSpecOf } from './object-evidence.ts';
import type { Surroundings } from './surroundings/surroundings.ts';

/** As much of the evidence as an approver reads beside the cause. */
const MOST_BESIDE_CAUSE = 6;

/**
 * Adds to a diagnosis what a person needs at night: which pods and containers, what they and the kubelet say, what was ruled out, and the most
 * likely causes with how to tell them apart.
 */
export function withFindings(diagnosis: Diagnosis, evidence: Evidence): Diagnosis {
  if (evidence.kind !== 'Deployment' && evidence.kind !== 'Object') return diagnosis;
  const scene = sceneOf(evidence);
  if (diagnosis.kind === 'Diagnosed')
    return { ...diagnosis, evidence: [...diagnosis.evidence, ...findingsOf(scene).slice(0, MOST_BESIDE_CAUSE)] };
  if (diagnosis.kind !== 'Unclear' && diagnosis.kind !== 'NotYet') return diagnosis;
  if (diagnosis.kind === 'NotYet' && diagnosis.advice === undefined) return diagnosis;
  return {
    ...diagnosis,
    facts: findingsOf(scene),
    ruledOut: ruledOut(scene.pods, scene.around),
    likely: likelyCauses(scene.pods),
  };
}

interface Scene {
  readonly pods: readonly Pod[];
  readonly spec: PodSpec | undefined;
  readonly around: Surroundings | undefined;
}

const sceneOf = (evidence: Extract<Evidence, { readonly kind: 'Deployment' | 'Object' }>): Scene =>
  evidence.kind === 'Object'
    ? { pods: evidence.pods, spec: podSpecOf(evidence.object), around: evidence.around }
    : { pods: evidence.revisions[0]?.pods ?? [], spec: evidence.deployment.spec.template.spec, around: evidence.around };

const findingsOf = ({ pods, spec, around }: Scene): readonly string[] => {
  const findings = podFindings(pods, around);
  return [...findings, ...(around ? surroundingFindings(around) : []), ...(findings.length > 0 ? configurationText(spec) : [])];
};
