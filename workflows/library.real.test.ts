import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ActionType } from '../src/api/action-type/action-type.ts';
import { ConfigMap, HorizontalPodAutoscaler, Namespace, Pod, ServiceAccount } from '../src/api/builtin/index.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../src/api/meta.ts';
import { RemediationWorkflow } from '../src/api/remediation-workflow/remediation-workflow.ts';
import { after, MINUTE, systemClock, systemRandom } from '../src/base/index.ts';
import { createClient } from '../src/kube/client/api-client.ts';
import type { KubeClient } from '../src/kube/client/client.ts';
import { bearer } from '../src/kube/http/http-config.ts';
import { httpTransport, type HttpTransport } from '../src/kube/http/http-transport.ts';
import { installKinds } from '../src/kube/client/install-kinds.ts';
import { controllerOf } from '../src/kube/objects/owner-references.ts';
import { describeOnControlPlane } from '../src/testkit/lanes.ts';
import { readLibrary, type LibraryEntry } from './library.ts';
import { workflows } from './registry.ts';
import {
  createAccount,
  declaredRules,
  isAccount,
  ownCopy,
  pause,
  rightsOf,
  rulesFor,
  signIn,
  untilMay,
  type SignedIn,
} from './testing/accounts.ts';
import { eventually, realRows, type RealRow } from './testing/real-rows.ts';
import { undoChange } from './undo-change.ts';
import { lastUndoRecord } from '../src/api/undo-record.ts';
import { ANNOTATIONS } from '../src/api/well-known.ts';
import type { Workflow } from './workflow.ts';

const suffix = systemRandom.uuid().slice(0, 8);
const [system, shop, runs] = [`wf-system-${suffix}`, `wf-shop-${suffix}`, `wf-runs-${suffix}`];

const accountOf = (workflow: string) => ({ namespace: runs, name: `workflow-${workflow}` });
const without = (workflow: string, nth: number) => ({ namespace: runs, name: `wf-${suffix}-${workflow}-${nth}` });

/** Everything but metadata, status, and when a controller set a taint of its own: what is wished for, letter by letter. */
const wishOf = (object: KubeObject): string =>
  JSON.stringify({ ...object, metadata: undefined, status: undefined }, (name, value: unknown) =>
    name === 'timeAdded' ? undefined : value,
  );

/** All of it but what controllers write at any moment: the status, and with it the version. */
function ofPeople(object: KubeObject): object {
  const { status: _, metadata, ...rest } = object as KubeObject & { readonly status?: unknown };
  const { resourceVersion: __, managedFields: ___, ...kept } = metadata as typeof metadata & { readonly managedFields?: unknown };
  return { ...rest, metadata: kept };
}

describeOnControlPlane('the workflow library on the real kube-apiserver', (plane) => {
  let transport: HttpTransport;
  let admin: KubeClient;
  let library: readonly LibraryEntry[];
  const people: SignedIn[] = [];

  beforeAll(async () => {
    transport = httpTransport({ server: plane().url, ca: plane().caData, identity: bearer(plane().token) });
    admin = createClient(transport);
    await installKinds([ActionType, RemediationWorkflow], { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    for (const name of [system, shop, runs]) await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    library = (await readLibrary({ namespace: system, executionNamespace: runs })).map((entry) => ownCopy(entry, suffix));
    for (const { resource, draft } of library) await admin.create(resource, draft, { fieldValidation: 'Strict' });
    for (const workflow of Object.keys(workflows)) await createReduced(workflow);
    await eventually(
      () => admin.list(ServiceAccount, { namespace: shop }),
      ({ items }) => items.length > 0,
    );
    await untilMay(admin, without('uncordon-node', 0), rightsOf(declaredRules(library, 'uncordon-node'))[1] ?? '');
  });

  afterAll(async () => {
    await Promise.all(people.map((person) => person.close()));
    for (const name of [system, shop, runs]) await admin.delete(Namespace, { namespace: '', name });
    await transport.close();
  });

  /** For every right that is declared an account that has all the others. */
  async function createReduced(workflow: string): Promise<void> {
    const rights = rightsOf(declaredRules(library, workflow));
    for (const nth of rights.keys()) await createAccount(admin, without(workflow, nth), rulesFor(rights.toSpliced(nth, 1)));
  }

  async function as(account: ObjectKey): Promise<KubeClient> {
    const person = await signIn(admin, plane(), account);
    people.push(person);
    return person.client;
  }

  let made = 0;
  /** Something broken, with names of its own. */
  async function broken(row: RealRow) {
    const name = `${row.workflow.split('-')[0]}-${++made}-${suffix}`;
    await row.make(admin, { namespace: shop, name });
    const key = { namespace: row.resource.namespaced ? shop : '', name };
    const read = (): Promise<KubeObject> => admin.get(row.resource, key);
    const settled = () => stillness(read, row.isSettled);
    const env = {
      TARGET_RESOURCE_KIND: row.resource.kind,
      TARGET_RESOURCE_NAME: name,
      ...(row.resource.namespaced ? { TARGET_RESOURCE_NAMESPACE: shop } : {}),
      WORKFLOW_EXECUTION: 'wfe-1',
      ...row.parameters,
    };
    /** Every object of these names, of any creator. */
    const around = async () => [
      ...(await admin.list(ConfigMap, { namespace: shop })).items.filter(({ metadata }) => metadata.name.startsWith(name)),
      ...(await admin.list(Pod, { namespace: shop, labelSelector: `app=${name}` })).items,
    ];
    return { name, read, settled, env, around };
  }

  test('scale-replicas leaves alone what an autoscaler decides on', async () => {
    const [row] = realRows.filter(({ workflow }) => workflow === 'scale-replicas');
    const { name, env, read } = await broken(row as RealRow);
    await admin.create(HorizontalPodAutoscaler, {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: `hpa-${name}`, namespace: shop },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, maxReplicas: 9 },
    });
    const refused = (workflows['scale-replicas'] as Workflow)(await as(accountOf('scale-replicas')), env);
    await expect(refused).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`HorizontalPodAutoscaler hpa-${name}`) as string,
    });
    expect(await read()).toMatchObject({ spec: { replicas: 2 } });
  });

  test.each(Object.keys(workflows))('%s declares what it needs, and nothing else', (workflow) => {
    const needs = new Set(realRows.filter((row) => row.workflow === workflow).flatMap((row) => row.needs));
    expect(rightsOf(declaredRules(library, workflow)).toSorted()).toEqual([...needs].toSorted());
  });

  test('is taken as it is written: nothing unknown, nothing dropped', async () => {
    for (const { resource, draft } of library.filter((entry) => !isAccount(entry)))
      expect(await admin.get(resource, keyOf(draft))).toMatchObject(draft);
  });

  describe.concurrent.each(realRows.map((row) => ({ ...row, kind: row.resource.kind })))('$workflow of a $kind', (row) => {
    const run = workflows[row.workflow] as Workflow;

    test('tried dry shows the difference and changes nothing at all', async () => {
      const { env, read, settled, around } = await broken(row);
      const [target, before] = [await settled(), await around()];
      const shown = (await run(await as(accountOf(row.workflow)), env, { dryRun: true })).split('\n');
      expect(shown[0]).toContain(' would be ');
      expect(shown.slice(1).filter((line) => /^[+-] (\/spec|\/data|Pod )/.test(line))).not.toEqual([]);
      expect(ofPeople(await read())).toEqual(ofPeople(target));
      expect((await around()).map(ofPeople)).toEqual(before.map(ofPeople));
    });

    test('under its own account does what it reports, does nothing the second time, and can be undone', async () => {
      const { name, env, read, settled, around } = await broken(row);
      const target = await settled();
      const own = await as(accountOf(row.workflow));
      expect(await run(own, env)).toMatch(row.says);
      if (row.becomes === undefined) {
        // Its controller is the way back.
        const [other] = await eventually(around, (pods) => pods.length === 1 && pods[0]?.metadata.uid !== target.metadata.uid);
        expect(other && controllerOf(other)).toEqual(controllerOf(target));
        expect(await run(own, env)).toBe(`Pod ${shop}/${name} is already gone`);
        return void expect(await around()).toEqual([other]);
      }
      const changed = await settled();
      expect(changed).toMatchObject(row.becomes);
      expect(await run(own, env)).toMatch(/already/);
      expect(ofPeople(await read())).toEqual(ofPeople(changed));
      expect(lastUndoRecord(changed)).toMatchObject({ workflow: row.workflow, execution: 'wfe-1' });
      const back = { ...env, WORKFLOW_EXECUTION: 'wfe-2', UNDO_EXECUTION: 'wfe-1' };
      await undoChange(row.workflow)(own, back);
      const restored = await settled();
      expect(wishOf(restored)).toBe(wishOf(target));
      expect(await undoChange(row.workflow)(own, back)).toMatch(/already/);
      expect(ofPeople(await read())).toEqual(ofPeople(restored));
    });

    test.each(row.needs)('cannot do without the right to %s', async (right) => {
      const { env, read } = await broken(row);
      const nth = rightsOf(declaredRules(library, row.workflow)).indexOf(right);
      const reduced = await as(without(row.workflow, nth));
      await expect(run(reduced, env)).rejects.toMatchObject({ code: 'Forbidden' });
      const { spec } = (await read()) as { spec?: object };
      if (right !== 'create pods/eviction') expect((await read()).metadata.annotations?.[ANNOTATIONS.undo]).toBeUndefined();
      else expect(spec).toMatchObject({ unschedulable: true });
    });
  });
});

/** The object once no controller changes it any more. */
async function stillness(read: () => Promise<KubeObject>, isSettled: (object: KubeObject) => boolean = () => true): Promise<KubeObject> {
  const STILL_LOOKS = 3;
  let last = await read();
  for (let same = 0; same < STILL_LOOKS;) {
    await pause();
    const now = await read();
    same = now.metadata.resourceVersion === last.metadata.resourceVersion && isSettled(now) ? same + 1 : 0;
    last = now;
  }
  return last;
}
