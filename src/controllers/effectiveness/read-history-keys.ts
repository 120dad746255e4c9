import { topOwner } from '../../analyst/index.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { given } from '../../base/index.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import type { RemediationHistory } from '../../store/index.ts';
import { knownSpecHash, readTarget, targetText, type SeenTarget } from '../target/index.ts';
import type { Components } from './status.ts';

/** What later investigations look a result up by, beside the target and its spec. No score depends on it. */
export type ForTheRecord = Pick<Components, 'preRemediationSpecHash' | 'rootOwner' | 'rootSpecHash'>;

/** Reads what is not on record yet. What cannot be read is left out, keeps nothing waiting, and is read again with the next look. */
export async function readForTheRecord(
  object: EffectivenessAssessment,
  target: Read<SeenTarget>,
  reader: Reader,
  history: RemediationHistory | undefined,
): Promise<ForTheRecord> {
  const [preRemediationSpecHash, root] = await Promise.all([askForPreHash(object, history), readRoot(object, target, reader)]);
  return given({ preRemediationSpecHash, ...root });
}

/** The store knows what the order does not say. */
async function askForPreHash(object: EffectivenessAssessment, history: RemediationHistory | undefined): Promise<string | undefined> {
  const { spec, status } = object;
  if (!history || (spec.preRemediationSpecHash ?? status?.components?.preRemediationSpecHash) !== undefined) return undefined;
  const uid = controllerOf(object)?.uid;
  try {
    return await history.preRemediationSpecHash({ name: spec.correlationID, ...(uid !== undefined && { uid }) });
  } catch {
    // Unknown, as it was.
    return undefined;
  }
}

/** What manages the target, where that is another resource. */
async function readRoot(
  { status }: EffectivenessAssessment,
  target: Read<SeenTarget>,
  reader: Reader,
): Promise<Pick<ForTheRecord, 'rootOwner' | 'rootSpecHash'>> {
  if (target.kind !== 'value' || status?.components?.rootSpecHash !== undefined) return {};
  const found = await topOwner(target.value, (resource, key) => reader.fetch(resource, key));
  if (found.kind !== 'value') return {};
  const root = await readTarget(reader, found.value);
  const rootSpecHash = root.kind === 'value' ? knownSpecHash(root.value) : undefined;
  return rootSpecHash === undefined ? {} : { rootOwner: targetText(found.value), rootSpecHash };
}
