import { topOwner } from '../../analyst/index.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { given } from '../../base/index.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import type { RemediationHistory } from '../../store/index.ts';
import { knownSpecHash, readTarget, targetText, type SeenTarget } from '../target/index.ts';
import type { Components } from './status.ts';

/** What later analyses look a result up by, beside the target and its spec. No score depends on it. */
export type HistoryKeys = Pick<Components, 'preRemediationSpecHash' | 'rootOwner' | 'rootSpecHash'>;

/** Reads the keys that are not recorded yet. One that cannot be read is left out, delays nothing, and is read again in the next pass. */
export async function readHistoryKeys(
  object: EffectivenessAssessment,
  target: Read<SeenTarget>,
  reader: Reader,
  history: RemediationHistory | undefined,
): Promise<HistoryKeys> {
  const [preRemediationSpecHash, root] = await Promise.all([readPreHash(object, history), readRoot(object, target, reader)]);
  return given({ preRemediationSpecHash, ...root });
}

/** From the store, if the spec does not give it. */
async function readPreHash(object: EffectivenessAssessment, history: RemediationHistory | undefined): Promise<string | undefined> {
  const { spec, status } = object;
  if (!history || (spec.preRemediationSpecHash ?? status?.components?.preRemediationSpecHash) !== undefined) return undefined;
  const uid = controllerOf(object)?.uid;
  try {
    return await history.preRemediationSpecHash({ name: spec.correlationID, ...(uid !== undefined && { uid }) });
  } catch {
    // It stays unknown.
    return undefined;
  }
}

/** The resource that finally owns the target, if there is one. */
async function readRoot(
  { status }: EffectivenessAssessment,
  target: Read<SeenTarget>,
  reader: Reader,
): Promise<Pick<HistoryKeys, 'rootOwner' | 'rootSpecHash'>> {
  if (target.kind !== 'value' || status?.components?.rootSpecHash !== undefined) return {};
  const found = await topOwner(target.value, (resource, key) => reader.fetch(resource, key));
  if (found.kind !== 'value') return {};
  const root = await readTarget(reader, found.value);
  const rootSpecHash = root.kind === 'value' ? knownSpecHash(root.value) : undefined;
  return rootSpecHash === undefined ? {} : { rootOwner: targetText(found.value), rootSpecHash };
}
