import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { fingerprint, knownSpecHash, specHash, type SeenTarget } from './index.ts';
import { ABSENT, aConfigMap, aTarget, given, mounting, UNREADABLE, value } from './testing/builders.ts';

interface Vector {
  readonly name: string;
  readonly object: KubeObject;
  readonly configMaps: Readonly<Record<string, 'absent' | 'unreadable' | Pick<ConfigMap, 'data' | 'binaryData'>>>;
  readonly specHash: string;
}
const vectors = JSON.parse(readFileSync(new URL('./testing/fingerprints.json', import.meta.url), 'utf8')) as readonly Vector[];

const readOf = (content: Vector['configMaps'][string]) =>
  content === 'absent' ? ABSENT : content === 'unreadable' ? UNREADABLE : value({ ...aConfigMap(), data: {}, ...content });

const seenIn = ({ object, configMaps }: Vector): SeenTarget =>
  given(object, Object.fromEntries(Object.entries(configMaps).map(([name, content]) => [name, readOf(content)])));

const hash = (target: SeenTarget): string => fingerprint(target).specHash;
const settings = (data: Readonly<Record<string, string>>) => given(mounting('settings'), { settings: value(aConfigMap(data)) });

describe('fingerprint', () => {
  test.each(vectors)('[EM-197] $name: as computed elsewhere, byte for byte', (vector) =>
    expect(hash(seenIn(vector))).toBe(vector.specHash),
  );

  test('[EM-212] is sha256: and 64 lower-case hex digits, composite or not', () => {
    for (const target of [aTarget(), settings({ a: '1' }), mounting('a')]) expect(hash(target)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test('[EM-198] without ConfigMaps it is the hash of the spec', () => {
    expect(fingerprint(aTarget())).toEqual({ isComplete: true, specHash: specHash(aTarget()) });
    expect(hash(given(aTarget(), { settings: value(aConfigMap()) }))).toBe(specHash(aTarget()));
  });

  test('[EM-183] changes with a ConfigMap alone', () => expect(hash(settings({ a: '2' }))).not.toBe(hash(settings({ a: '1' }))));

  test('changes with the spec alone', () => {
    const read = { settings: value(aConfigMap({ a: '1' })) };
    const scaled = aTarget({ volumes: [{ name: 'settings', configMap: { name: 'settings' } }] }, { replicas: 3 });
    expect(hash(given(scaled, read))).not.toBe(hash(given(mounting('settings'), read)));
  });

  test('changes where two ConfigMaps swap what they hold', () => {
    const [one, other] = [value(aConfigMap({ a: '1' })), value(aConfigMap({ a: '2' }))];
    expect(hash(given(mounting('x', 'y'), { x: one, y: other }))).not.toBe(hash(given(mounting('x', 'y'), { x: other, y: one })));
  });

  test('[EM-196, EM-211] does not see Secrets, metadata and status', () => {
    const target = aTarget({ volumes: [{ name: 'certs', secret: { secretName: 'certs' } }] });
    expect(fingerprint(target)).toEqual({ isComplete: true, specHash: specHash(target) });
    const later = { ...settings({ a: '1' }), status: { replicas: 7 } };
    expect(hash({ ...later, metadata: { ...later.metadata, labels: { a: 'b' } } })).toBe(hash(settings({ a: '1' })));
  });
});

describe('what cannot be read', () => {
  const one = value(aConfigMap({ a: '1' }));

  test('[EM-201, EM-203] makes the state unknown, and says why', () =>
    expect(fingerprint(given(mounting('a', 'b'), { a: one, b: UNREADABLE }))).toMatchObject({
      isComplete: false,
      reason: 'ConfigMap b cannot be read: forbidden',
    }));

  test('is counted where there is more of it', () =>
    expect(fingerprint(given(mounting('a', 'b', 'c'), { a: UNREADABLE, b: UNREADABLE, c: UNREADABLE }))).toMatchObject({
      reason: 'ConfigMap a cannot be read: forbidden (and 2 more)',
    }));

  test('[EM-202] is not what does not exist: that is known', () =>
    expect(fingerprint(given(mounting('a'), { a: ABSENT })).isComplete).toBe(true));

  test('one that was deleted after it was read is a change', () =>
    expect(hash(given(mounting('a'), { a: ABSENT }))).not.toBe(hash(given(mounting('a'), { a: one }))));

  test('[EM-204] the names stay the same with a mark in place of the content', () => {
    const marked = hash(given(mounting('a', 'b'), { a: one, b: UNREADABLE }));
    expect(hash(given(mounting('a', 'b'), { a: one, b: { kind: 'unreadable', reason: 'timeout' } }))).toBe(marked);
    expect(marked).not.toBe(hash(given(mounting('a'), { a: one })));
    expect(marked).not.toBe(hash(given(mounting('a', 'c'), { a: one, c: UNREADABLE })));
  });

  test('a ConfigMap that was not read counts as unreadable', () => {
    expect(fingerprint(mounting('a'))).toMatchObject({ isComplete: false, reason: 'ConfigMap a cannot be read: not read' });
    expect(fingerprint(mounting('constructor')).isComplete).toBe(false);
  });

  test('has no hash that could be recorded', () => {
    expect(knownSpecHash(mounting('a'))).toBeUndefined();
    expect(knownSpecHash(settings({ a: '1' }))).toBe(hash(settings({ a: '1' })));
  });
});

describe('any target', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });
  const data = fc.dictionary(fc.stringMatching(/^[-._a-zA-Z0-9]{1,8}$/), fc.string(), { maxKeys: 4 });
  const read = fc.oneof(
    data.map((content) => value(aConfigMap(content))),
    fc.constant(ABSENT),
    fc.constant(UNREADABLE),
  );
  const reads = fc.record({ a: read, b: read, c: read, d: read });

  test('[EM-208, EM-209] the order of members, of list elements and of what was read does not matter', () =>
    fc.assert(
      fc.property(names, reads, (of, found) => {
        const turned = Object.fromEntries(Object.entries(found).toReversed()) as typeof found;
        expect(hash(given(upsideDown(mounting(...of)), turned))).toBe(hash(given(mounting(...of), found)));
      }),
    ));

  test('[EM-183] another value under any key of any ConfigMap is another state', () =>
    fc.assert(
      fc.property(names, reads, fc.nat(), data, (of, found, index, content) => {
        const changed = of[index % of.length] ?? '';
        const before = { ...found, [changed]: value(aConfigMap({ ...content, key: 'before' })) };
        const after = { ...found, [changed]: value(aConfigMap({ ...content, key: 'after' })) };
        expect(hash(given(mounting(...of), after))).not.toBe(hash(given(mounting(...of), before)));
      }),
    ));

  test('a state is known exactly where every ConfigMap that it names was answered for', () =>
    fc.assert(
      fc.property(names, reads, (of, found) => {
        const isKnown = of.every((one) => found[one].kind !== 'unreadable');
        expect(fingerprint(given(mounting(...of), found)).isComplete).toBe(isKnown);
      }),
    ));

  test('[EM-210] another scalar, or another type of it, is another state', () =>
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (one, other) => {
        const replicas = (count: unknown) => hash(aTarget({}, { replicas: count }));
        expect(replicas(one) === replicas(other)).toBe(one === other);
        expect(replicas(one)).not.toBe(replicas(String(one)));
      }),
    ));
});

/** The same with every list and every member the other way round. */
function upsideDown<T>(part: T): T {
  if (Array.isArray(part)) return part.map((element: unknown) => upsideDown(element)).toReversed() as T;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .map(([key, member]) => [key, upsideDown(member as unknown)] as const)
      .toReversed(),
  ) as T;
}
