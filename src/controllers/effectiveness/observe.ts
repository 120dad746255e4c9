import { Pod } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject, LabelSelector, ObjectKey } from '../../api/meta.ts';
import type { Instant } from '../../base/index.ts';
import { formatLabelSelector, labelRequirements } from '../../kube/selectors/index.ts';
import type { Listed, Read, Reader } from '../../runtime/controller.ts';
import type { Settings } from '../settings.ts';
import { readTarget, type SeenTarget } from '../target/index.ts';
import { isAsync, timingOf, type Timing } from './timing.ts';

/** All that a decision about an assessment rests on. */
export interface AssessmentSeen {
  readonly object: EffectivenessAssessment;
  readonly settings: Settings;
  /** From the server; `unreadable` also where it was not looked at, because it is too early or too late. */
  readonly target: Read<SeenTarget>;
  /** Undefined when the target is of a kind that has no pods of its own. */
  readonly pods: Listed<Pod> | undefined;
}

const NOT_LOOKED_AT = { kind: 'unreadable', reason: 'not looked at' } as const;

/** The kinds whose pods are found by their selector. */
const WITH_SELECTOR: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'];

/** Reads the target and its pods from the server while they may be judged, and nothing before or after. */
export async function observe(
  key: ObjectKey,
  reader: Reader,
  { now, settings }: { readonly now: Instant; readonly settings: Settings },
): Promise<AssessmentSeen | undefined> {
  const found = reader.get(EffectivenessAssessment, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const timing = timingOf(object, settings);
  if (isBaselineDue(object, timing, now))
    return { object, settings, target: await readTarget(reader, object.spec.remediationTarget), pods: NOT_LOOKED_AT };
  if (object.status?.phase !== 'Assessing' || now >= timing.deadline)
    return { object, settings, target: NOT_LOOKED_AT, pods: NOT_LOOKED_AT };
  const target = await readTarget(reader, object.spec.remediationTarget);
  return { object, settings, target, pods: await readPods(object, target, reader) };
}

/** Where others apply changes, drift is measured from what they had made of the target when it began to settle. */
function isBaselineDue(object: EffectivenessAssessment, { settlesFrom, checkAfter }: Timing, now: Instant): boolean {
  const { phase, components } = object.status ?? {};
  if (!isAsync(object) || now < settlesFrom || components?.baselineSpecHash !== undefined) return false;
  return phase === 'WaitingForPropagation' || (phase === 'Stabilizing' && now < checkAfter);
}

async function readPods({ spec }: EffectivenessAssessment, target: Read<KubeObject>, reader: Reader): Promise<Listed<Pod> | undefined> {
  const { kind, namespace } = spec.remediationTarget;
  if (target.kind !== 'value') return NOT_LOOKED_AT;
  if (kind === 'Pod') return { kind: 'value', value: [target.value as Pod] };
  if (!WITH_SELECTOR.includes(kind)) return undefined;
  const { selector } = (target.value as KubeObject & { readonly spec: { readonly selector: LabelSelector } }).spec;
  return reader.fetchList(Pod, { namespace: namespace ?? '', labelSelector: formatLabelSelector(labelRequirements(selector)) });
}
