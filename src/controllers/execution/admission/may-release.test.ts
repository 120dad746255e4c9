import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../../api/builtin/index.ts';
import type { Read } from '../../../kube/client/read.ts';
import { fingerprint } from '../../target/index.ts';
import { aConfigMap, given, mounting } from '../../target/testing/builders.ts';
import { mayRelease, type Admission } from './admit.ts';
import { ABSENT, anExecution, aRequest, found, UNREADABLE } from '../testing/builders.ts';

const seenWith = (settings: Read<ConfigMap>) => given(mounting('settings'), { settings });
const { specHash } = fingerprint(seenWith(found(aConfigMap({ a: '1' }))));
const request = found(
  aRequest({ remediationTarget: { kind: 'Deployment', name: 'checkout', namespace: 'shop', uid: 'checkout-uid', specHash } }),
);

describe('a run that is held', () => {
  test.each<[string, Read<ConfigMap>, Admission]>([
    ['is released where the ConfigMaps are unchanged', found(aConfigMap({ a: '1' })), { kind: 'Go' }],
    [
      'is refused where one was changed',
      found(aConfigMap({ a: '2' })),
      { kind: 'Refuse', message: 'the target was changed since it was analysed' },
    ],
    ['is refused where one was deleted', ABSENT, { kind: 'Refuse', message: 'the target was changed since it was analysed' }],
    [
      'waits where one cannot be read',
      UNREADABLE,
      { kind: 'Wait', reason: expect.stringContaining('ConfigMap settings cannot be read') as string },
    ],
  ])('%s', (_, settings, want) => expect(mayRelease(anExecution(), request, found(seenWith(settings)))).toEqual(want));
});
