/** Every kind on a real kube-apiserver: accepted, and every one of its rules at work. */
import { beforeAll, expect, test } from 'vitest';
import {
  EffectivenessAssessment,
  kinds,
  Namespace,
  NotificationRequest,
  RemediationWorkflow,
  type CustomResourceDefinition,
  type KindDefinition,
  type KubeObject,
} from '../../src/api/index.ts';
import { after, MINUTE, systemClock } from '../../src/base/index.ts';
import { bearer, createClient, httpTransport, type ApiError, type KubeClient } from '../../src/kube/index.ts';
import { badValues, validObjects, type BadObject, type BadValue } from '../../src/testkit/bad-values.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import { describeOnControlPlane } from '../../src/testkit/lanes.ts';

const NAMESPACE = 'kinds-real-test';

describeOnControlPlane('kinds on a real kube-apiserver', (plane) => {
  let client: KubeClient;
  let installed: readonly CustomResourceDefinition[];
  let named = 0;

  beforeAll(async () => {
    const { url, caData, token } = plane();
    client = createClient(httpTransport({ server: url, ca: caData, identity: bearer(token) }));
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    installed = await installKinds(kinds, { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
  });

  test('every definition is structural and has its names', () => {
    const faults = installed.map(({ metadata, status }) => [
      metadata.name,
      ...(status?.conditions ?? []).filter(({ type, status: holds }) => type === 'NonStructuralSchema' || holds !== 'True'),
    ]);
    expect(faults).toEqual(kinds.map((kind) => [`${kind.plural}.${kind.group}`]));
  });

  test.each(kinds)('$kind: sample and variants are accepted, whole and without a warning', async (kind) => {
    for (const object of validObjects(kind)) expect(await store(kind, object)).toMatchObject({ spec: object['spec'], ...statusOf(object) });
  });

  test.each(kinds)('$kind: each value that breaks a rule is refused by the name of its field', { timeout: 2 * MINUTE }, async (kind) => {
    const good = await store(kind, sampleOf(kind));
    const wrong: string[] = [];
    for (const bad of badValues(kind)) {
      if ('before' in bad) continue;
      const object = fresh(bad.object);
      const answer = bad.subresource ? client.updateStatus(kind, { ...object, metadata: good.metadata }) : client.create(kind, object);
      wrong.push(...(await complaints(bad, answer)));
    }
    expect(wrong).toEqual([]);
    expect(await client.get(kind, { namespace: NAMESPACE, name: good.metadata.name })).toEqual(good);
  });

  test.each(kinds)('$kind: each change that breaks a rule is refused by the name of its field', async (kind) => {
    const wrong: string[] = [];
    for (const bad of badValues(kind)) {
      if (!('before' in bad)) continue;
      const stored = await store(kind, bad.before);
      const changed = { ...fresh(bad.after), metadata: stored.metadata };
      wrong.push(...(await complaints(bad, bad.subresource ? client.updateStatus(kind, changed) : client.update(kind, changed))));
    }
    expect(wrong).toEqual([]);
  });

  test('[CO-125] a message without a priority gets Medium', async () => {
    const { priority: _, ...spec } = NotificationRequest.sample.spec;
    expect(await store(NotificationRequest, { ...sampleOf(NotificationRequest), spec })).toMatchObject({ spec: { priority: 'Medium' } });
  });

  test('[EM-017] a score that is absent stays absent, and one of 0 stays 0', async () => {
    const status = { components: { healthAssessed: true, alertAssessed: true, alertScore: 0 } };
    const stored = await store(EffectivenessAssessment, { ...sampleOf(EffectivenessAssessment), status });
    expect((stored as EffectivenessAssessment).status).toEqual(status);
  });

  test('a workflow may change: its spec is not immutable', async () => {
    const stored = (await store(RemediationWorkflow, sampleOf(RemediationWorkflow))) as RemediationWorkflow;
    const changed = await client.update(RemediationWorkflow, { ...stored, spec: { ...stored.spec, version: '1.3.0' } });
    expect([changed.spec.version, changed.metadata.generation]).toEqual(['1.3.0', 2]);
  });

  /** Under a name of its own in the namespace of this file. */
  const fresh = (object: BadObject): KubeObject =>
    ({ ...object, metadata: { ...object.metadata, namespace: NAMESPACE, name: `object-${named++}` } }) as unknown as KubeObject;

  /** Creates the object, then writes its status. Strict: a field that the schema does not know is a failure. */
  async function store(kind: KindDefinition, object: BadObject): Promise<KubeObject> {
    const draft = fresh(object);
    const created = await client.create(kind, draft, { fieldValidation: 'Strict' });
    if (object['status'] === undefined) return created;
    return await client.updateStatus(kind, { ...draft, metadata: created.metadata }, { fieldValidation: 'Strict' });
  }
});

const sampleOf = (kind: KindDefinition): BadObject => validObjects(kind)[0]!;

const statusOf = (object: BadObject): object => (object['status'] === undefined ? {} : { status: object['status'] });

/** What is wrong with the answer to a bad value, if anything: it must be a 422 that names the field and, of a CEL rule, its message. */
async function complaints({ name, field, rule }: BadValue, answer: Promise<unknown>): Promise<readonly string[]> {
  const refusal = await answer.then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );
  if (refusal === undefined) return [`${name}: was accepted`];
  const blamed = refusal.causes.filter((cause) => cause.field === field);
  if (refusal.httpCode !== 422 || blamed.length === 0) return [`${name}: ${refusal.httpCode} ${refusal.message}`];
  return rule === undefined || blamed.some(({ message }) => message?.includes(rule)) ? [] : [`${name}: another rule: ${refusal.message}`];
}
