import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import type { Listed, Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { jobEngine } from '../engines/job/job-engine.ts';
import { engineNamed, engineOf, type RunEngine } from '../engines/index.ts';
import { tektonEngine } from '../engines/tekton/tekton-engine.ts';
import { aRun, aTask, aTaskPod } from '../engines/tekton/testing/task-runs.ts';
import {
  cachedRun,
  joinLists,
  listOfEngine,
  preferOthers,
  preferOwn,
  podsOfEngine,
  readInstalled,
  readPods,
  recordedEngine,
  liveRun,
} from './read-run.ts';
import { ABSENT, aJob, aPod, found, listed, UNREADABLE } from '../testing/builders.ts';

const KEY = { namespace: 'runs', name: 'wfe-abc' };
const tekton = engineNamed('tekton') as RunEngine;
const job = engineNamed('job') as RunEngine;
const ofTekton = (uid: string): KubeObject => {
  const run = aRun(['Unknown', 'Running']);
  return { ...run, metadata: { ...run.metadata, uid: `pr-of-${uid}`, labels: { 'kubernaut.ai/workflow-execution-uid': uid } } };
};

/** A reader with one answer for each kind, which writes down what it was asked. */
function aReader(reads: Readonly<Record<string, Read<KubeObject> | undefined>>, lists: Readonly<Record<string, Listed<KubeObject>>> = {}) {
  const asked: unknown[] = [];
  const read = (resource: Resource, key: ObjectKey, options?: object) => {
    asked.push([resource.kind, key, ...(options ? [options] : [])]);
    return reads[resource.kind] ?? ABSENT;
  };
  const reader = {
    get: read,
    fetch: (resource: Resource, key: ObjectKey, options?: object) => Promise.resolve(read(resource, key, options)),
    fetchList: (resource: Resource, where: object) => {
      asked.push([resource.kind, where]);
      return Promise.resolve(lists[resource.kind] ?? listed());
    },
  } as unknown as Reader;
  return { reader, asked };
}

describe('of two runs of one name', () => {
  const mine = found(aJob({ of: 'wfe-1' }));
  const others = found(ofTekton('wfe-2'));
  const marksGone = found(aJob({ of: '', uid: 'job-9' }));

  test.each<{ name: string; job: Read<KubeObject>; pipeline: Read<KubeObject>; first: 'own' | 'others'; want: string }>([
    { name: 'a run of another execution blocks it', job: mine, pipeline: others, first: 'others', want: 'pr-of-wfe-2' },
    { name: 'ours is the one to clear up', job: mine, pipeline: others, first: 'own', want: 'job-1' },
    { name: 'ours without its mark is known by its UID', job: marksGone, pipeline: others, first: 'own', want: 'job-9' },
    {
      name: 'ours without its mark is known by its UID, whichever engine made it',
      job: found(aJob({ of: 'wfe-2' })),
      pipeline: found({ ...ofTekton('wfe-2'), metadata: { ...ofTekton('wfe-2').metadata, uid: 'job-9' } }),
      first: 'own',
      want: 'job-9',
    },
    { name: 'ours alone', job: mine, pipeline: ABSENT, first: 'others', want: 'job-1' },
    { name: 'another’s alone', job: ABSENT, pipeline: others, first: 'own', want: 'pr-of-wfe-2' },
    { name: 'one that cannot be read may be another’s', job: mine, pipeline: UNREADABLE, first: 'others', want: 'unreadable' },
    { name: 'one that cannot be read may be ours', job: UNREADABLE, pipeline: others, first: 'own', want: 'unreadable' },
    { name: 'one that cannot be read does not matter', job: mine, pipeline: UNREADABLE, first: 'own', want: 'job-1' },
    { name: 'none', job: ABSENT, pipeline: ABSENT, first: 'own', want: 'absent' },
  ])('$name', async ({ job: ofJob, pipeline, first, want }) => {
    const { reader, asked } = aReader({ Job: ofJob, PipelineRun: pipeline });
    const rule = first === 'own' ? preferOwn('wfe-1', 'job-9') : preferOthers('wfe-1');
    for (const read of [cachedRun(reader, KEY, rule), await liveRun(reader, KEY, rule)])
      expect(read.kind === 'value' ? read.value.metadata.uid : read.kind).toBe(want);
    expect(asked.slice(0, 2)).toEqual([
      ['Job', KEY],
      ['PipelineRun', KEY],
    ]);
  });
});

test('a run is the work of the engine of its kind', () => {
  expect([aJob(), ofTekton('x')].map((run) => engineOf(run))).toEqual([jobEngine, tektonEngine]);
  expect(['Job', 'PipelineRun', 'AWXJob', undefined].map((kind) => recordedEngine(kind)?.name)).toEqual([
    'job',
    'tekton',
    undefined,
    undefined,
  ]);
  expect(['job', 'tekton', 'ansible', undefined].map((name) => engineNamed(name)?.name)).toEqual(['job', 'tekton', undefined, undefined]);
  expect(() => engineOf({ ...aJob(), kind: 'Workflow' })).toThrow('no engine runs a Workflow');
});

describe('whether an engine is there', () => {
  const definition = ['CustomResourceDefinition', { namespace: '', name: 'pipelineruns.tekton.dev' }, { metadataOnly: true }];

  test('a Job always is', async () => {
    const { reader, asked } = aReader({});
    expect(await readInstalled(reader, job)).toEqual(found(true));
    expect(asked).toEqual([]);
  });

  test.each<{ read: Read<KubeObject>; want: Read<true> }>([
    { read: found(aJob()), want: found(true) },
    { read: ABSENT, want: ABSENT },
    { read: UNREADABLE, want: UNREADABLE },
  ])('Tekton is where its definition is: $read.kind', async ({ read, want }) => {
    const { reader, asked } = aReader({ CustomResourceDefinition: read });
    expect(await readInstalled(reader, tekton)).toEqual(want);
    expect(asked).toEqual([definition]);
  });

  test.each<{ name: string; installed: Read<KubeObject>; list: Listed<KubeObject>; want: Listed<KubeObject> }>([
    { name: 'what it has is listed', installed: UNREADABLE, list: listed(ofTekton('a')), want: listed(ofTekton('a')) },
    { name: 'where it is not installed there is nothing', installed: ABSENT, list: UNREADABLE, want: listed() },
    { name: 'where it is installed it is not known', installed: found(aJob()), list: UNREADABLE, want: UNREADABLE },
    { name: 'where it is unknown whether it is installed it is not known', installed: UNREADABLE, list: UNREADABLE, want: UNREADABLE },
  ])('$name', async ({ installed, list, want }) => {
    const { reader } = aReader({ CustomResourceDefinition: installed }, { PipelineRun: list });
    const where = { resource: tekton.resource, namespace: 'runs', labelSelector: 'a=b' };
    expect(await listOfEngine(reader, tekton, where)).toEqual(want);
  });

  test('what a Job has that cannot be read is not known', async () => {
    const { reader } = aReader({}, { Job: UNREADABLE });
    expect(await listOfEngine(reader, job, { resource: job.resource, namespace: 'runs', labelSelector: 'a=b' })).toEqual(UNREADABLE);
  });
});

describe('the pods of a run', () => {
  const pod = aTaskPod('one', { phase: 'Running' });
  const task = aTask('one', ['Unknown', 'Running']);

  test('of a Job are found by its name', async () => {
    const { reader, asked } = aReader({}, { Pod: listed(aPod()) });
    expect(await readPods(reader, KEY, aJob())).toEqual(listed(aPod()));
    expect(asked).toEqual([['Pod', { namespace: 'runs', labelSelector: 'job-name=wfe-abc' }]]);
  });

  test('of a PipelineRun are told with its tasks', async () => {
    const { reader, asked } = aReader({}, { Pod: listed(pod), TaskRun: listed(task) });
    const pods = await readPods(reader, KEY, ofTekton('wfe-1'));
    expect(pods).toMatchObject({ kind: 'value', value: [{ metadata: { name: pod.metadata.name }, status: { phase: 'Running' } }] });
    const where = { namespace: 'runs', labelSelector: 'tekton.dev/pipelineRun=wfe-abc' };
    expect(asked).toEqual([
      ['Pod', where],
      ['TaskRun', where],
    ]);
  });

  test('of a run that is gone are those of any run of its name', async () => {
    const { reader, asked } = aReader({}, { Pod: listed(aPod()) });
    expect(await readPods(reader, KEY)).toMatchObject({ kind: 'value', value: [{}, {}] });
    expect(asked.map((one) => (one as readonly unknown[])[0])).toEqual(expect.arrayContaining(['Pod', 'Pod', 'TaskRun']));
  });

  test.each([
    { name: 'pods', lists: { Pod: UNREADABLE, TaskRun: listed(task) } },
    { name: 'tasks', lists: { Pod: listed(pod), TaskRun: UNREADABLE } },
  ])('are not known where its $name are not', async ({ lists }) => {
    const { reader } = aReader({ CustomResourceDefinition: found(aJob()) }, lists);
    expect(await podsOfEngine(reader, tekton, { namespace: 'runs', labelSelector: 'a=b' })).toEqual(UNREADABLE);
    expect(await readPods(reader, KEY)).toEqual(UNREADABLE);
  });
});

test('one list that cannot be read leaves all of them open', () => {
  expect(joinLists([listed(aPod()), listed<KubeObject>(), listed(aPod())])).toEqual(listed(aPod(), aPod()));
  expect(joinLists([listed(aPod()), UNREADABLE])).toEqual(UNREADABLE);
  expect(joinLists<KubeObject>([])).toEqual(listed());
});
