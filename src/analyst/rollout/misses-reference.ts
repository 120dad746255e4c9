import type { Event, Pod } from '../../api/builtin/index.ts';
import { containersOf } from '../pod-state.ts';
import type { Revision } from '../evidence.ts';
import { missingIn, missingText, needs, referencesOf, type Reference } from './references.ts';
import type { FindSymptom } from './symptom.ts';

/** The kubelet cannot put a container together: something that its environment reads is missing. */
const NOT_CREATED = 'CreateContainerConfigError';
/** So a container waits while its volumes are mounted. */
const NOT_MOUNTED: ReadonlySet<string | undefined> = new Set(['ContainerCreating', 'PodInitializing']);
/** Something else keeps the pod from starting. */
const SOMETHING_ELSE: ReadonlySet<string | undefined> = new Set(['FailedAttachVolume', 'FailedCreatePodSandBox']);

/**
 * Every pod waits for a ConfigMap, a Secret or a key that only the new revision needs. What the revision before needs as well was there when it
 * started: then it was deleted, and going back would not bring it back.
 */
export const missesReference: FindSymptom = ({ newest, around }, back) => {
  if (!newest.pods.every(waitsForStart)) return undefined;
  const names = new Set(newest.pods.map(({ metadata }) => metadata.name));
  const events = (around?.events ?? []).filter(({ involvedObject }) => names.has(involvedObject.name ?? ''));
  if (events.some(({ reason }) => SOMETHING_ELSE.has(reason))) return undefined;
  const missing = [...newest.pods.flatMap(refusals), ...events.flatMap(mountFailure)].flatMap((message) => missingIn(message) ?? []);
  const [first] = missing;
  const [now, before] = [newest, back].map(neededBy);
  const isNew = missing.every(
    (one) => now?.some((reference) => needs(reference, one)) && !before?.some((reference) => needs(reference, one)),
  );
  return first && isNew ? { fault: 'ReleaseMissesConfiguration', text: `needs ${missingText(first)}, which does not exist` } : undefined;
};

const neededBy = ({ replicaSet }: Revision): readonly Reference[] =>
  replicaSet.spec.template ? referencesOf(replicaSet.spec.template.spec) : [];

const waitsForStart = (pod: Pod): boolean =>
  containersOf(pod).some(({ state }) => state?.waiting?.reason === NOT_CREATED || NOT_MOUNTED.has(state?.waiting?.reason)) &&
  containersOf(pod).every(({ state, restartCount }) => restartCount === 0 && state?.running === undefined);

const refusals = (pod: Pod): readonly string[] =>
  containersOf(pod).flatMap(({ state }) => (state?.waiting?.reason === NOT_CREATED ? (state.waiting.message ?? []) : []));

const mountFailure = ({ reason, message = '' }: Event): readonly string[] => (reason === 'FailedMount' ? [message] : []);
