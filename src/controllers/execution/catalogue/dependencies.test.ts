import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { anExecution } from '../testing/builders.ts';
import { COMMON_ACCOUNT } from '../engines/job/job-draft.ts';
import { accountToMake, badName, dependenciesOf, judgeDependencies, readDependencies, type Dependency } from './dependencies.ts';

const NAMESPACE = 'kubernaut-workflows';
const withDependencies = (dependencies?: { secrets?: { name: string }[]; configMaps?: { name: string }[] }) => ({
  workflowRef: { ...anExecution().spec.workflowRef, ...(dependencies && { dependencies }) },
});

/** A server with these objects, as `Kind namespace/name`; it notes how it was asked. */
function aServer(objects: readonly string[], hidden: readonly string[] = []) {
  const asked: string[] = [];
  const fetch = (
    resource: Resource,
    { namespace, name }: ObjectKey,
    options?: { readonly metadataOnly?: boolean },
  ): Promise<Read<KubeObject>> => {
    const text = `${resource.kind} ${namespace}/${name}`;
    asked.push(options?.metadataOnly ? text : `${text} with its data`);
    if (hidden.includes(text)) return Promise.resolve({ kind: 'unreadable', reason: 'forbidden' });
    const value = { apiVersion: 'v1', kind: resource.kind, metadata: { name, namespace, uid: 'u' }, data: { password: 'hunter2' } };
    return Promise.resolve(objects.includes(text) ? { kind: 'value', value: value as unknown as KubeObject } : { kind: 'absent' });
  };
  return { reader: { fetch } as unknown as Reader, asked };
}

const DECLARED: readonly Dependency[] = [
  { kind: 'Secret', name: 'token' },
  { kind: 'ConfigMap', name: 'hosts' },
];
const ACCOUNT: Dependency = { kind: 'ServiceAccount', name: 'workflow-rollback-deployment' };
const THERE = [`Secret ${NAMESPACE}/token`, `ConfigMap ${NAMESPACE}/hosts`];

describe('what a workflow depends on', () => {
  test('is each object once', () =>
    expect(
      dependenciesOf(
        withDependencies({ secrets: [{ name: 'token' }, { name: 'token' }], configMaps: [{ name: 'hosts' }, { name: 'token' }] }),
      ),
    ).toEqual([...DECLARED, { kind: 'ConfigMap', name: 'token' }, ACCOUNT]));

  test.each([undefined, {}, { secrets: [] }])('[WE-073] is only its account when it declares nothing: %j', async (dependencies) => {
    const account = `ServiceAccount ${NAMESPACE}/${ACCOUNT.name}`;
    const { reader, asked } = aServer([account]);
    const seen = await readDependencies(reader, NAMESPACE, dependenciesOf(withDependencies(dependencies)));
    expect([asked, judgeDependencies(seen, NAMESPACE)]).toEqual([[account], { kind: 'Ready' }]);
  });

  test.each(['token', 'a', 'my.token-1', 'a'.repeat(253)])('may be called %s', (name) =>
    expect(badName(withDependencies({ secrets: [{ name }] }))).toBeUndefined(),
  );

  test.each(['', '..', '../admin', 'a/b', 'Token', 'a_b', '-a', 'a'.repeat(254)])('cannot be called %j', (name) => {
    expect(badName(withDependencies({ secrets: [{ name }] }))?.message).toContain(`Secret ${JSON.stringify(name)}`);
    expect(badName(withDependencies({ configMaps: [{ name }] }))?.message).toContain(`ConfigMap ${JSON.stringify(name)}`);
  });
});

describe('a look at the dependencies', () => {
  test('asks for metadata only, and keeps nothing of it', async () => {
    const { reader, asked } = aServer(THERE);
    const seen = await readDependencies(reader, NAMESPACE, DECLARED);
    expect(asked).toEqual(THERE);
    expect(JSON.stringify(seen)).not.toContain('hunter2');
    expect(judgeDependencies(seen, NAMESPACE)).toEqual({ kind: 'Ready' });
  });

  const elsewhere = ['shop', 'sickbay-system'].flatMap((namespace) => [`Secret ${namespace}/token`, `ConfigMap ${namespace}/hosts`]);
  test.each([
    { id: 'WE-067', there: THERE.slice(1), says: `Secret ${NAMESPACE}/token, which does not exist` },
    { id: 'WE-068', there: THERE.slice(0, 1), says: `ConfigMap ${NAMESPACE}/hosts, which does not exist` },
    { id: 'WE-069', there: elsewhere, says: `Secret ${NAMESPACE}/token, ConfigMap ${NAMESPACE}/hosts, which do not exist` },
  ])('[$id] what is not in the execution namespace is missing: $says', async ({ there, says }) => {
    const verdict = judgeDependencies(await readDependencies(aServer(there).reader, NAMESPACE, DECLARED), NAMESPACE);
    expect(verdict).toMatchObject({
      kind: 'Fault',
      fault: {
        message: expect.stringContaining(says) as string,
        advice: expect.stringContaining(`in namespace ${NAMESPACE}`) as string,
      },
    });
  });

  const several = withDependencies({
    secrets: ['token', 'password', 'certificate'].map((name) => ({ name })),
    configMaps: ['hosts', 'zones', 'limits'].map((name) => ({ name })),
  });
  test.each([
    ['WE-067', 'Secret', ['token', 'password', 'certificate']],
    ['WE-068', 'ConfigMap', ['hosts', 'zones', 'limits']],
  ] as const)('[%s] each %s that is declared must be there, not only some of them', async (_, kind, names) => {
    const declared = dependenciesOf(several);
    for (const name of names) {
      const missing = `${kind} ${NAMESPACE}/${name}`;
      const there = declared.map((one) => `${one.kind} ${NAMESPACE}/${one.name}`).filter((text) => text !== missing);
      const verdict = judgeDependencies(await readDependencies(aServer(there).reader, NAMESPACE, declared), NAMESPACE);
      expect(verdict).toMatchObject({
        kind: 'Fault',
        fault: { message: expect.stringContaining(`${missing}, which does not exist`) as string },
      });
    }
  });

  test('what cannot be read is not missing', async () => {
    const { reader } = aServer(THERE, THERE.slice(0, 1));
    expect(judgeDependencies(await readDependencies(reader, NAMESPACE, DECLARED), NAMESPACE)).toEqual({
      kind: 'Wait',
      reason: `Secret ${NAMESPACE}/token cannot be read: forbidden`,
    });
  });

  test('what is missing is told, even where something else cannot be read', async () => {
    const { reader } = aServer([], THERE.slice(0, 1));
    expect(judgeDependencies(await readDependencies(reader, NAMESPACE, DECLARED), NAMESPACE).kind).toBe('Fault');
  });
});

describe('the account of a run', () => {
  const { serviceAccountName: _, ...nameless } = anExecution().spec.workflowRef;
  const lookFor = (workflowRef: typeof nameless, there: readonly string[]) =>
    readDependencies(aServer(there).reader, NAMESPACE, dependenciesOf({ workflowRef }));

  test('that the workflow names must exist: it is not created, since its permissions are unknown', async () => {
    const seen = await lookFor(anExecution().spec.workflowRef, []);
    expect(judgeDependencies(seen, NAMESPACE)).toMatchObject({
      kind: 'Fault',
      fault: { message: expect.stringContaining(ACCOUNT.name) as string },
    });
    expect(accountToMake(seen, NAMESPACE)).toBeUndefined();
  });

  test('[WE-177] is the common one where the workflow names none, and is made where it is missing', async () => {
    const seen = await lookFor(nameless, []);
    expect(judgeDependencies(seen, NAMESPACE)).toEqual({ kind: 'Ready' });
    expect(accountToMake(seen, NAMESPACE)).toMatchObject({
      kind: 'ServiceAccount',
      metadata: { name: COMMON_ACCOUNT, namespace: NAMESPACE },
    });
  });

  test('that is there is not made again', async () =>
    expect(accountToMake(await lookFor(nameless, [`ServiceAccount ${NAMESPACE}/${COMMON_ACCOUNT}`]), NAMESPACE)).toBeUndefined());
});
