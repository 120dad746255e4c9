import { describe, expect, test } from 'vitest';
import { aRevision, evidenceOf, aPod, minutesAgo } from '../../analyst/testing/a-deployment.ts';
import { anEffective, anIneffective } from '../../analyst/testing/a-history.ts';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import type { Evidence, HistorySummary, EarlierRemediation } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { toTime } from '../../base/index.ts';
import { createRemediationHistory, memoryAuditLog, type AuditLog } from '../../store/index.ts';
import { aRemediation, type RemediationOptions } from '../../store/testing/a-remediation.ts';
import { NOT_READ, type NotRead } from '../../kube/client/read.ts';
import { fingerprint } from '../target/index.ts';
import { decide } from './decide.ts';
import { readHistory, type HistoryRead } from './history.ts';
import { anAnalysis, NOW } from './testing/an-analysis.ts';

const HERE = evidenceOf();
const NOW_HASH = fingerprint(HERE.deployment).specHash;

/** What an investigation reads from this history. */
const told = async (past: readonly RemediationOptions[], evidence: Evidence = HERE, more: { gap?: string; log?: AuditLog } = {}) => {
  const log = more.log ?? memoryAuditLog();
  await log.append(past.flatMap((options) => aRemediation({ at: toTime(minutesAgo(60)), ...options })));
  const source = { history: createRemediationHistory(log), gap: () => more.gap };
  return readHistory(source, anAnalysis({ status: { phase: 'Investigating' } }), evidence, NOW);
};

describe('what an investigation asks of the past', () => {
  test('[EM-258] [EM-259] what was done to the target, with scores and outcomes, the oldest first', async () => {
    const past = await told([
      { name: 'new', scores: { alert: 0 }, outcome: 'Inconclusive' },
      { name: 'old', at: toTime(minutesAgo(3 * 24 * 60)) },
    ]);
    expect(past).toMatchObject({
      kind: 'value',
      value: {
        regressionDetected: false,
        remediations: [
          { remediation: 'old', outcome: 'Remediated', effectivenessScore: 1 },
          { remediation: 'new', outcome: 'Inconclusive', effectivenessScore: 0 },
        ],
      },
    });
  });

  test('[EM-252] [EM-263] holds it against the spec of the target, made as history makes it', async () => {
    expect(await told([{ hashes: { pre: NOW_HASH, post: 'sha256:b' } }])).toMatchObject({
      value: { regressionDetected: true, remediations: [{ hashMatch: 'preRemediation' }] },
    });
  });

  test.each<[string, Evidence, string]>([
    ['cannot be read', { kind: 'Unreadable', target: HERE.target, reason: 'x' }, 'Investigating'],
    ['is healthy', evidenceOf([aRevision(3, [aPod('a'), aPod('b')])]), 'Completed'],
  ])('the analysis of a target that %s is the same with every history', (_, evidence, phase) => {
    const object = anAnalysis({ status: { phase: 'Investigating', startedAt: toTime(NOW) } });
    const catalogue = { kind: 'value', value: [aWorkflow('rollback')] } as const;
    const statusWith = (history: HistoryRead | NotRead) =>
      decide({ object, findings: { kind: 'fault', evidence, catalogue, history } }, NOW).status as Status;
    const without = statusWith(NOT_READ);
    expect(without.phase).toBe(phase);
    expect(statusWith(known([anIneffective()]))).toEqual(without);
    expect(statusWith({ kind: 'unreadable', reason: 'the disk is gone' })).toEqual(without);
  });

  test('a target whose cause is unclear has a history too', async () =>
    expect(await told([{}], { kind: 'Absent', target: HERE.target })).toMatchObject({
      value: { remediations: [{ remediation: 'rr-1' }] },
    }));

  test('that it cannot be read is no past', async () => {
    const log: AuditLog = { ...memoryAuditLog(), find: () => Promise.reject(new Error('the disk is gone')) };
    expect(await told([], HERE, { log })).toEqual({ kind: 'unreadable', reason: 'the disk is gone' });
  });

  test('says why the newest may be missing from the store', async () =>
    expect(await told([], HERE, { gap: 'the disk is full' })).toMatchObject({ value: { gap: 'the disk is full' } }));
});

type Status = NonNullable<AIAnalysis['status']>;

/** What is concluded where two workflows fit, and this is the past. */
function concluded(history: HistoryRead | NotRead, names: readonly string[] = ['rollback', 'rollback-slowly']): Status {
  const object = anAnalysis({ status: { phase: 'Investigating', startedAt: toTime(NOW) } });
  const catalogue = { kind: 'value', value: names.map((name) => aWorkflow(name)) } as const;
  return decide({ object, findings: { kind: 'fault', evidence: HERE, catalogue, history } }, NOW).status as Status;
}

const known = (remediations: readonly EarlierRemediation[], more: Partial<HistorySummary> = {}): HistoryRead => ({
  kind: 'value',
  value: { regressionDetected: false, remediations, ...more },
});

describe('what a conclusion makes of the past', () => {
  test('[EM-261] what did not help is left for another, and the analysis says so', () => {
    const status = concluded(known([anIneffective()]));
    expect(status.selectedWorkflow).toMatchObject({ workflowName: 'rollback-slowly' });
    const note = 'rollback would fit too, but did not help this target when it last ran';
    expect(status.selectedWorkflow?.rationale).toContain(note);
    expect(status.warnings).toEqual([
      'rr-1, 2026-03-02T10:05:00Z: rollback:1.0.0 did not help shop/Deployment/checkout (outcome Inconclusive, score 0.27, its alert kept firing)',
      note,
    ]);
    expect(status).not.toHaveProperty('degradedMode');
  });

  test('[EM-262] what helped is preferred', () =>
    expect(
      concluded(known([anEffective({ workflow: { id: 'x', name: 'rollback-slowly', version: '1.0.0' } })])).selectedWorkflow,
    ).toMatchObject({
      workflowName: 'rollback-slowly',
    }));

  test('what did not help is proposed where nothing else fits, with a warning', () => {
    const { selectedWorkflow, warnings } = concluded(known([anIneffective()]), ['rollback']);
    expect(selectedWorkflow).toMatchObject({ workflowName: 'rollback' });
    expect(warnings?.at(-1)).toBe('rollback did not help this target when it last ran, but no other workflow fits');
  });

  test('[EM-260] warnings stand where no workflow fits, too', () => {
    const status = concluded(known([anIneffective()]), []);
    expect(status).toMatchObject({ phase: 'Completed', needsHumanReview: true });
    expect(status.warnings).toHaveLength(1);
  });

  test('nothing is said where nothing speaks against it', () => {
    for (const past of [NOT_READ, known([]), known([anEffective()])]) {
      expect(concluded(past, ['rollback'])).not.toHaveProperty('warnings');
      expect(concluded(past)).not.toHaveProperty('degradedMode');
    }
  });

  test('a past that cannot be read stops nothing, and is not taken for a good one', () => {
    const status = concluded({ kind: 'unreadable', reason: 'the disk is gone' });
    expect(status).toMatchObject({ phase: 'Analyzing', selectedWorkflow: { workflowName: 'rollback' }, degradedMode: true });
    expect(status.warnings).toEqual([
      'the remediation history of the target cannot be read: the disk is gone. A workflow that did not help before may be selected again',
    ]);
  });

  test('nor is one with a gap', () => {
    const status = concluded(known([], { gap: 'the disk is full' }));
    expect(status).toMatchObject({ degradedMode: true, warnings: [expect.stringContaining('the disk is full')] });
  });

  test('[EM-260] the approver sees the warnings', () => {
    const status = { ...concluded(known([anIneffective()]), ['rollback']) };
    const object = { ...anAnalysis({ context: { environment: 'Production' } }), status };
    const judged = decide({ object, findings: NOT_READ }, NOW).status as Status;
    expect(judged.approvalContext?.evidenceCollected).toEqual(expect.arrayContaining([...(status.warnings ?? [])]));
  });
});
