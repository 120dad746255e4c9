import { CustomResourceDefinition, Pod } from '../../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import type { Listed, Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { RUN_ENGINES, engineOf, type RunEngine } from '../engines/index.ts';
import { executionUidOf } from '../names.ts';

/** Which run of a name counts, should there be more than one. */
export type RunPreference = (run: KubeObject) => boolean;

/** Another's run stands in the way of everything. */
export const preferOthers =
  (execution: string): RunPreference =>
  (run) =>
    executionUidOf(run) !== execution;

/** Ours by its mark or, where that was removed from outside, by its UID in our status. */
export const preferOwn =
  (execution: string, recorded: string | undefined): RunPreference =>
  (run) =>
    executionUidOf(run) === execution || run.metadata.uid === recorded;

/** The run of this name, from the cache, whichever engine made it. */
export const cachedRun = (reader: Reader, key: ObjectKey, first: RunPreference): Read<KubeObject> =>
  preferredRun(
    RUN_ENGINES.map(({ resource }) => reader.get(resource, key)),
    first,
  );

/** The same from a live read. */
export const liveRun = async (reader: Reader, key: ObjectKey, first: RunPreference): Promise<Read<KubeObject>> =>
  preferredRun(await Promise.all(RUN_ENGINES.map(({ resource }) => reader.fetch(resource, key))), first);

/** What one engine cannot tell might be the one. */
function preferredRun(reads: readonly Read<KubeObject>[], first: RunPreference): Read<KubeObject> {
  const values = reads.filter((read) => read.kind === 'value');
  return values.find(({ value }) => first(value)) ?? reads.find(({ kind }) => kind === 'unreadable') ?? values[0] ?? { kind: 'absent' };
}

/** The engine of the recorded run; where none is recorded, a run of any engine may be meant. */
export const recordedEngine = (kind: string | undefined): RunEngine | undefined =>
  RUN_ENGINES.find(({ resource }) => resource.kind === kind);

/** Pods of the run or, where it is gone, of any run of its name. */
export async function readPods(reader: Reader, { namespace, name }: ObjectKey, run?: KubeObject): Promise<Listed<Pod>> {
  const engines = run ? [engineOf(run)] : RUN_ENGINES;
  return joinLists(
    await Promise.all(engines.map((engine) => podsOfEngine(reader, engine, { namespace, labelSelector: engine.podsOf(name) }))),
  );
}

/** What is at work for an engine, there. The parts are read last: the owner of each pod is then among them. */
export async function podsOfEngine(
  reader: Reader,
  engine: RunEngine,
  where: { readonly namespace: string; readonly labelSelector: string },
): Promise<Listed<Pod>> {
  const pods = await reader.fetchList(Pod, where);
  if (!engine.parts || pods.kind === 'unreadable') return pods;
  const parts = await listOfEngine(reader, engine, { resource: engine.parts.resource, ...where });
  return parts.kind === 'unreadable' ? parts : { kind: 'value', value: engine.parts.asPods(parts.value, pods.value) };
}

/** Objects of a kind that comes with the engine: where it is not installed there are none. */
export async function listOfEngine(
  reader: Reader,
  engine: RunEngine,
  { resource, ...where }: { readonly resource: Resource; readonly namespace: string; readonly labelSelector: string },
): Promise<Listed<KubeObject>> {
  const listed = await reader.fetchList(resource, where);
  if (listed.kind === 'value') return listed;
  const installed = await readInstalled(reader, engine);
  return installed.kind === 'absent' ? { kind: 'value', value: [] } : listed;
}

/** Whether the engine is installed, from a live read. */
export async function readInstalled(reader: Reader, { definition }: RunEngine): Promise<Read<true>> {
  if (definition === undefined) return { kind: 'value', value: true };
  const found = await reader.fetch(CustomResourceDefinition, { namespace: '', name: definition }, { metadataOnly: true });
  return found.kind === 'value' ? { kind: 'value', value: true } : found;
}

/** One list of several; what cannot be read leaves all of it open. */
export const joinLists = <T extends KubeObject>(lists: readonly Listed<T>[]): Listed<T> =>
  lists.find(({ kind }) => kind === 'unreadable') ?? {
    kind: 'value',
    value: lists.flatMap((list) => (list.kind === 'value' ? list.value : [])),
  };
