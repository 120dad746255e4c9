import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { controlPlaneLane } from '../../src/testkit/lane.ts';
import { ask, json, startBoth, type Both } from './both.ts';
import { BUILTIN_OBJECTS, NAMESPACE, type Builtin } from './builtins.ts';
import { comparable } from './comparable.ts';
import { differences } from './differences.ts';
import { edited } from './edit.ts';
import { masked } from './mask.ts';
import type { WireRequest } from './wire.ts';

const binaries = process.env[controlPlaneLane.setting] ?? '';
const STRATEGIC = 'application/strategic-merge-patch+json';
const LIMIT_MS = 120_000;

/** The verbs of kubectl on valid objects of the built-in kinds that are not generated; the first answer shows all defaults. */
describe.skipIf(binaries === '')('built-in kinds', () => {
  let both: Both;
  beforeAll(async () => {
    both = await startBoth(binaries);
    await ask(both, json('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } }));
  }, LIMIT_MS);
  afterAll(() => both.close());

  /** Asks both the same, or each about what it showed itself, and gives back what each said. */
  const compare = async (
    request: WireRequest | ((seen: JsonObject) => WireRequest),
    seen?: readonly JsonObject[],
  ): Promise<readonly JsonObject[]> => {
    const [first, second] = [0, 1].map((i) => (typeof request === 'function' ? request(seen![i]!) : request)) as [WireRequest, WireRequest];
    const answers = [await both.real.send(first), await both.ours.send(second)];
    const [real, ours] = answers.map(comparable) as [ReturnType<typeof comparable>, ReturnType<typeof comparable>];
    const exchange = masked({ request: first, real, ours });
    expect(differences(exchange.real, exchange.ours)).toEqual([]);
    expect(real.code).toBeLessThan(300);
    return answers.map(({ body }) => body as JsonObject);
  };

  test.each(BUILTIN_OBJECTS.map((builtin) => ({ ...builtin, title: `${builtin.path.split('/').at(-1)} ${builtin.object.metadata.name}` })))(
    '$title',
    async ({ path, object, patch, status }: Builtin) => {
      const one = `${path}/${object.metadata.name}`;
      const patching = (body: unknown, where = one): WireRequest => ({ ...json('PATCH', where, body), type: STRATEGIC });
      await compare(json('POST', path, object));
      await compare({ method: 'GET', path: one });
      await compare({ method: 'GET', path, query: { fieldSelector: `metadata.name=${object.metadata.name}`, limit: '1' } });
      await compare(patching(patch));
      const seen = await compare({ method: 'GET', path: one });
      await compare((shown) => json('PUT', one, edited(shown, [{ path: ['metadata', 'annotations', 'put'], value: 'yes' }])), seen);
      if (status) await compare(patching({ status }, `${one}/status`));
      await compare({ method: 'GET', path: one, accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' });
      await compare({ method: 'DELETE', path: one, query: { propagationPolicy: 'Background' } });
    },
  );
});
