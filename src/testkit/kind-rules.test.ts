import { describe, expect, test } from 'vitest';
import { kinds } from '../api/index.ts';
import { seededRandom } from '../base/index.ts';
import { badValues, validObjects } from './bad-values.ts';
import { ManualClock } from './manual-clock.ts';
import { createMemoryApi } from '../apiserver/index.ts';
import { create, installKind, tryBadValue } from './try-bad-value.ts';

/** The same values are tried on a real kube-apiserver in bad-values.real.test.ts. */
describe.each(kinds)('rules of $kind', (kind) => {
  test('let what is right pass, and blame the right field for what is wrong', async () => {
    const server = createMemoryApi({ clock: new ManualClock(), random: seededRandom(1) });
    await installKind(server, kind);
    for (const object of validObjects(kind)) expect((await create(server, kind, object, true)).code).toBe(201);
    for (const bad of badValues(kind)) {
      const { code, reason, causes } = await tryBadValue(server, kind, bad);
      const blamed = causes.some((cause) => cause.endsWith(` ${bad.field}`));
      expect({ value: bad.name, code, reason, blamed }).toEqual({ value: bad.name, code: 422, reason: 'Invalid', blamed: true });
    }
  });
});
