import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import type { Read } from '../../kube/client/read.ts';
import { fingerprint, MOST_CONFIG_MAPS, readTarget, withConfigMaps, type TargetReader } from './index.ts';
import { ABSENT, aConfigMap, aTarget, mounting, UNREADABLE, value } from './testing/builders.ts';

const CHECKOUT = { kind: 'Deployment', name: 'checkout', namespace: 'shop' };

/** Answers for what it is given, and is forbidden the rest; `asked` is what it was asked for, `most` how much of it at once. */
function reading(answers: Readonly<Record<string, Read<KubeObject>>>) {
  const asked: string[] = [];
  const load = { now: 0, most: 0 };
  const reader: TargetReader = {
    fetch: async <T extends KubeObject>({ kind }: { readonly kind: string }, { namespace, name }: { namespace?: string; name: string }) => {
      asked.push(`${kind} ${namespace ?? ''}/${name}`);
      load.most = Math.max(load.most, ++load.now);
      await Promise.resolve();
      load.now--;
      return (answers[name] ?? UNREADABLE) as Read<T>;
    },
  };
  return { reader, asked, load };
}

describe('readTarget', () => {
  test('one that refers to no ConfigMap costs one read', async () => {
    const { reader, asked } = reading({ checkout: value(aTarget()) });
    expect(await readTarget(reader, CHECKOUT)).toEqual(value(aTarget()));
    expect(asked).toEqual(['Deployment shop/checkout']);
  });

  test('one that does costs one more for each, in its own namespace', async () => {
    const read = { checkout: value(mounting('b', 'a', 'b')), a: value(aConfigMap({ x: '1' })), b: ABSENT };
    const { reader, asked } = reading(read);
    const target = await readTarget(reader, CHECKOUT);
    expect(asked).toEqual(['Deployment shop/checkout', 'ConfigMap shop/a', 'ConfigMap shop/b']);
    expect(target).toMatchObject({ kind: 'value', value: { metadata: { name: 'checkout' } } });
    expect(target.kind === 'value' && target.value.configMaps).toEqual(
      new Map<string, unknown>([
        ['a', read.a],
        ['b', ABSENT],
      ]),
    );
  });

  test('[EM-201] one whose ConfigMap is forbidden is there all the same, and not known', async () => {
    const target = await readTarget(reading({ checkout: value(mounting('a')) }).reader, CHECKOUT);
    expect(target.kind === 'value' && fingerprint(target.value)).toMatchObject({
      isComplete: false,
      reason: 'ConfigMap a cannot be read: forbidden',
    });
  });

  test.each([ABSENT, UNREADABLE])('%j: nothing more is read', async (answer) => {
    const { reader, asked } = reading({ checkout: answer });
    expect(await readTarget(reader, CHECKOUT)).toEqual(answer);
    expect(asked).toHaveLength(1);
  });

  test('an unknown kind is not read', async () => {
    const { reader, asked } = reading({});
    expect(await readTarget(reader, { ...CHECKOUT, kind: 'Rollout' })).toMatchObject({ kind: 'unreadable' });
    expect(asked).toEqual([]);
  });
});

describe('withConfigMaps', () => {
  const many = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `map-${String(index).padStart(3, '0')}`);
    return { target: mounting(...names), ...reading(Object.fromEntries(names.map((name) => [name, value(aConfigMap({ name }))]))) };
  };

  test('reads many in order, but few at once', async () => {
    const { target, reader, asked, load } = many(20);
    expect(fingerprint(await withConfigMaps(reader, target)).isComplete).toBe(true);
    expect(asked).toEqual([...new Set(asked)].toSorted((a, b) => (a < b ? -1 : 1)));
    expect(asked).toHaveLength(20);
    expect(load.most).toBe(8);
  });

  test('the ConfigMaps of any usual workload are all read', async () => {
    const { target, reader } = many(MOST_CONFIG_MAPS);
    expect(fingerprint(await withConfigMaps(reader, target)).isComplete).toBe(true);
  });

  test('beyond the limit ConfigMaps are not read, and the state is not known', async () => {
    const { target, reader, asked } = many(MOST_CONFIG_MAPS + 2);
    const found = fingerprint(await withConfigMaps(reader, target));
    expect(asked).toHaveLength(MOST_CONFIG_MAPS);
    expect(found).toMatchObject({ isComplete: false, reason: 'ConfigMap map-128 cannot be read: not read (and 1 more)' });
  });
});
