import { describe, expect, test } from 'vitest';
import { after, HOUR, instant, MINUTE, parseTime, toTime } from '../base/index.ts';
import type { AuditLog } from './audit-log.ts';
import { memoryAuditLog } from './memory-audit-log.ts';
import { createRemediationHistory, MOST_ENTRIES } from './remediation-history.ts';
import { anAuditFile } from './testing/an-event.ts';
import { aRemediation, AT, TARGET, type RemediationOptions } from './testing/a-remediation.ts';

/** Threads start slowly on a busy machine. */
const PATIENCE_MS = 60_000;

const END = parseTime(AT) ?? instant(0);
const NOW = after(END, HOUR);
const DAY = { from: after(NOW, -24 * HOUR) };
const PLACE = { cluster: '', target: TARGET };
const ago = (ms: number): string => toTime(after(NOW, -ms));

describe.for<{ name: string; open: () => AuditLog }>([
  { name: 'in memory', open: () => memoryAuditLog() },
  { name: 'in a file', open: () => anAuditFile() },
])('history $name', { timeout: PATIENCE_MS }, ({ open }) => {
  const withPast = async (...past: readonly RemediationOptions[]) => {
    const log = open();
    await log.append(past.flatMap((options) => aRemediation(options)));
    return createRemediationHistory(log);
  };
  const names = (found: readonly { readonly remediation: string }[]): readonly string[] => found.map(({ remediation }) => remediation);

  test('[EM-255] [CO-141] lists for a target what ran on it, and with what outcome', async () => {
    const history = await withPast({});
    expect(await history.ofTarget(PLACE, DAY)).toEqual([
      {
        remediation: 'rr-1',
        remediationUID: 'uid-rr-1',
        cluster: '',
        target: TARGET,
        targetUID: 'uid-checkout',
        completedAt: AT,
        workflow: { id: 'wf-rollback', name: 'rollback', version: '1.0.0' },
        actionType: 'RollbackDeployment',
        signal: 'KubePodCrashLooping',
        signalFingerprint: 'b7',
        execution: 'Completed',
        outcome: 'Remediated',
        preRemediationSpecHash: 'sha256:a',
        postRemediationSpecHash: 'sha256:b',
        assessmentReason: 'Full',
        assessedAt: AT,
        effectivenessScore: 1,
        measuredShare: 0.75,
        signalResolved: true,
      },
    ]);
  });

  test('[EM-255] not of other targets, clusters or times', async () => {
    const history = await withPast(
      { name: 'old', at: ago(25 * HOUR) },
      { name: 'other', run: { target: 'shop/Deployment/cart' } },
      { name: 'far', run: { cluster: 'west' } },
      { name: 'here', at: ago(MINUTE) },
    );
    expect(names(await history.ofTarget(PLACE, DAY))).toEqual(['here']);
    expect(names(await history.ofTarget({ ...PLACE, cluster: 'west' }, DAY))).toEqual(['far']);
    expect(names(await history.ofTarget(PLACE, { from: after(NOW, -30 * HOUR), to: DAY.from }))).toEqual(['old']);
    expect(await history.ofTarget({ ...PLACE, target: 'shop/Deployment/none' }, DAY)).toEqual([]);
  });

  test('[EM-254] [CO-142] lists for a spec what was done to every target that had it, before or after', async () => {
    const history = await withPast(
      { name: 'from', at: ago(2 * MINUTE), hashes: { pre: 'sha256:x', post: 'sha256:y' } },
      { name: 'to', at: ago(MINUTE), run: { target: 'pay/Deployment/till' }, hashes: { pre: 'sha256:z', post: 'sha256:x' } },
      { name: 'neither', hashes: { pre: 'sha256:y', post: 'sha256:z' } },
    );
    expect(names(await history.bySpecHash('sha256:x', DAY))).toEqual(['from', 'to']);
    expect(await history.bySpecHash('sha256:none', DAY)).toEqual([]);
  });

  test('[EM-252] is found by what manages the target too, and by its spec', async () => {
    const pod = 'shop/Pod/checkout-6d9f7c-x2x9k';
    const history = await withPast({ run: { target: pod }, hashes: { root: TARGET, rootPost: 'sha256:root', post: 'sha256:pod' } });
    const [found] = await history.ofTarget(PLACE, DAY);
    expect(found).toMatchObject({ target: pod, root: TARGET, rootSpecHash: 'sha256:root' });
    expect(names(await history.bySpecHash('sha256:root', DAY))).toEqual(['rr-1']);
    expect(names(await history.ofTarget({ ...PLACE, target: pod }, DAY))).toEqual(['rr-1']);
  });

  test('names come back: each request has its own story', async () => {
    const history = await withPast(
      { uid: 'first', at: ago(3 * HOUR), scores: { alert: 0 }, outcome: 'Inconclusive' },
      { uid: 'second', at: ago(HOUR), scores: { alert: 1 } },
    );
    expect(await history.ofTarget(PLACE, DAY)).toMatchObject([
      { remediationUID: 'first', outcome: 'Inconclusive', signalResolved: false },
      { remediationUID: 'second', outcome: 'Remediated', signalResolved: true },
    ]);
  });

  test('of very many it lists the newest', async () => {
    const many = Array.from({ length: MOST_ENTRIES + 5 }, (_, i) => ({ name: `rr-${i}`, at: ago((MOST_ENTRIES + 5 - i) * MINUTE) }));
    const found = names(await (await withPast(...many)).ofTarget(PLACE, DAY));
    expect([found.length, found[0], found.at(-1)]).toEqual([MOST_ENTRIES, 'rr-5', `rr-${MOST_ENTRIES + 4}`]);
  });

  test('[EM-172] [CO-137] knows the hash from before by the name of the remediation', async () => {
    const history = await withPast({ uid: 'first' }, { uid: 'second', hashes: { pre: 'sha256:c' } });
    const hashOf = (name: string, uid?: string) => history.preRemediationSpecHash({ name, ...(uid !== undefined && { uid }) });
    expect(await Promise.all([hashOf('rr-1', 'first'), hashOf('rr-1', 'second'), hashOf('rr-none')])).toEqual([
      'sha256:a',
      'sha256:c',
      undefined,
    ]);
  });
});

test('what cannot be read is not nothing', async () => {
  const broken: AuditLog = { ...memoryAuditLog(), find: () => Promise.reject(new Error('the disk is gone')) };
  const history = createRemediationHistory(broken);
  await expect(history.ofTarget(PLACE, DAY)).rejects.toThrow('the disk is gone');
  await expect(history.bySpecHash('sha256:a', DAY)).rejects.toThrow('the disk is gone');
  await expect(history.preRemediationSpecHash({ name: 'rr-1' })).rejects.toThrow('the disk is gone');
});
