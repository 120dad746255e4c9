import { describe, expect, test } from 'vitest';
import type { Read } from '../../kube/client/read.ts';
import { fingerprint, freshness, type Freshness, type PinnedTarget, type SeenTarget } from './index.ts';
import { ABSENT, aConfigMap, given, mounting, UNREADABLE, value } from './testing/builders.ts';

const analysed = given(mounting('settings'), { settings: value(aConfigMap({ a: '1' })) });
const PINNED: PinnedTarget = {
  kind: 'Deployment',
  name: 'checkout',
  namespace: 'shop',
  uid: 'checkout-uid',
  specHash: fingerprint(analysed).specHash,
};
const { specHash: _, ...UNSEEN } = PINNED;
const now = (configMap: NonNullable<SeenTarget['configMaps']> extends ReadonlyMap<string, infer R> ? R : never): Read<SeenTarget> =>
  value(given(mounting('settings'), { settings: configMap }));
const changed = (metadata: object): Read<SeenTarget> => value({ ...analysed, metadata: { ...analysed.metadata, ...metadata } });

describe('freshness', () => {
  test.each<[string, Read<SeenTarget>, Freshness]>([
    ['as it was', value(analysed), { kind: 'same' }],
    ['cannot be read', UNREADABLE, { kind: 'unknown', reason: 'forbidden' }],
    ['gone', ABSENT, { kind: 'stale', why: 'no longer exists' }],
    ['another ConfigMap', now(value(aConfigMap({ a: '2' }))), { kind: 'stale', why: 'was changed since it was analysed' }],
    ['a ConfigMap deleted', now(ABSENT), { kind: 'stale', why: 'was changed since it was analysed' }],
    ['a ConfigMap unreadable', now(UNREADABLE), { kind: 'unknown', reason: 'ConfigMap settings cannot be read: forbidden' }],
    [
      'its ConfigMaps not looked at',
      value(mounting('settings')),
      { kind: 'unknown', reason: expect.stringContaining('not read') as string },
    ],
    ['no longer refers to it', value(mounting()), { kind: 'stale', why: 'was changed since it was analysed' }],
    ['being deleted', changed({ deletionTimestamp: '2026-11-15T03:00:00Z' }), { kind: 'stale', why: 'is being deleted' }],
    ['replaced', changed({ uid: 'another' }), { kind: 'stale', why: 'was replaced by another of the same name since it was analysed' }],
  ])('%s', (_name, target, want) => expect(freshness(PINNED, target)).toEqual(want));

  test('another object is known to be another, whether or not its ConfigMaps can be read', () => {
    const target = { ...mounting('settings'), metadata: { ...analysed.metadata, uid: 'another' } };
    expect(freshness(PINNED, value(target)).kind).toBe('stale');
  });

  test('what was not known when it was analysed is analysed again: waiting would not make it known', () => {
    expect(freshness(UNSEEN, value(analysed))).toEqual({ kind: 'stale', why: 'was not seen whole when it was analysed' });
    expect(freshness(UNSEEN, UNREADABLE).kind).toBe('unknown');
  });

  test('a kind that cannot be read back is never what was analysed', () =>
    expect(freshness({ ...PINNED, kind: 'Rollout' }, UNREADABLE).kind).toBe('stale'));
});
