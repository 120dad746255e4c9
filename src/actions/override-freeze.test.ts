import { expect, test } from 'vitest';
import type { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { digestOfOverride } from '../controllers/remediation/routing/index.ts';
import { aRequest } from '../controllers/remediation/testing/builders.ts';
import type { KubeClient } from '../kube/index.ts';
import { overrideFreeze, overriddenText } from './override-freeze.ts';

const REASON = 'customers cannot pay';

/** A client of dana, and what it patched. */
function servedTo(annotations: Record<string, string>, status: RemediationRequest['status'] = {}) {
  const request = aRequest(status);
  const patched: unknown[] = [];
  const client = {
    get: () => Promise.resolve({ ...request, metadata: { ...request.metadata, annotations } }),
    create: () => Promise.resolve({ status: { userInfo: { username: 'dana' } } }),
    patch: (...call: readonly unknown[]) => Promise.resolve(void patched.push(call[2])),
  } as unknown as KubeClient;
  return { patched, override: (reason = REASON) => overrideFreeze(client, { namespace: 'sickbay-system', name: 'rr', reason }) };
}

const earlier = { [ANNOTATIONS.overrideFreeze]: REASON, [ANNOTATIONS.overrideFreezeBy]: 'dana' };
const IGNORED = { ignoredOverride: digestOfOverride({ by: 'dana', reason: REASON }) };

test('an override is recorded under the name of the user, and the text does not claim that it counts', async () => {
  const { override, patched } = servedTo({});
  const overridden = await override();
  expect(patched).toMatchObject([{ body: { metadata: { annotations: earlier } } }]);
  const text = overriddenText(overridden, 'text');
  expect(text).toMatch(
    /^recorded; dana overrides change freezes and maintenance windows for rr\. It counts where the cluster verifies names/,
  );
  expect(text).not.toContain('no longer waits');
});

test('a second override is refused, unless the first does not count; it then takes another reason', async () => {
  await expect(servedTo(earlier).override('other')).rejects.toThrow('dana overrode change freezes for rr already');
  await expect(servedTo(earlier, IGNORED).override()).rejects.toThrow(/names were not verified, and does not count: give another --reason/);
  const { override, patched } = servedTo(earlier, IGNORED);
  await override('other');
  expect(patched).toHaveLength(1);
});
