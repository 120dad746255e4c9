import type { JsonObject } from '../../base/index.ts';
import type { AuditEvent, AuditType } from '../audit-log.ts';

/** What is told of one remediation; the rest is as in most of them. */
export interface RemediationOptions {
  readonly name?: string;
  readonly uid?: string;
  /** When the run was over; a minute of the same hour. */
  readonly at?: string;
  readonly run?: JsonObject & { readonly failed?: boolean };
  readonly outcome?: string;
  readonly hashes?: JsonObject;
  /** Scores by component; false for a remediation that was never assessed. */
  readonly scores?: Readonly<Partial<Record<'health' | 'alert' | 'metrics', number>>> | false;
  readonly reason?: string;
}

export const TARGET = 'shop/Deployment/checkout';
export const AT = '2026-03-02T10:05:00Z';

const USUAL = {
  name: 'rr-1',
  at: AT,
  run: {},
  outcome: 'Remediated',
  hashes: { pre: 'sha256:a', post: 'sha256:b' },
  scores: { health: 1, alert: 1 },
  reason: 'Full',
} as const satisfies RemediationOptions;

/** The events of one remediation, from its request to its assessment. */
export function aRemediation(options: RemediationOptions = {}): readonly AuditEvent[] {
  const told = { uid: `uid-${options.name ?? USUAL.name}`, ...USUAL, ...options };
  const { failed, ...run } = { failed: false, ...told.run };
  const end = failed ? ('failed' as const) : ('completed' as const);
  const event = (kind: string, type: AuditType, data: JsonObject): AuditEvent => {
    const subject = { kind, namespace: 'sickbay-system', name: told.name, uid: uidOf(kind, told.uid) };
    return { id: `${subject.uid}/${type}`, type, correlationId: told.name, subject, at: told.at, data };
  };
  const request = (type: AuditType, data: JsonObject): AuditEvent => event('RemediationRequest', type, data);
  return [
    request('orchestrator.lifecycle.created', { signal: 'KubePodCrashLooping', fingerprint: 'b7', target: TARGET }),
    event('WorkflowExecution', `workflowexecution.workflow.${end}`, { request: told.uid, ...PLAN, ...run }),
    ...findings(told).map(([type, data]) => event('EffectivenessAssessment', type, { request: told.uid, target: TARGET, ...data })),
    request(`orchestrator.lifecycle.${end}`, failed ? { phase: 'Failed' } : { outcome: told.outcome }),
    request('orchestrator.lifecycle.transitioned', { phase: failed ? 'Failed' : 'Completed' }),
  ];
}

const uidOf = (kind: string, request: string): string => (kind === 'RemediationRequest' ? request : `${kind}-of-${request}`);

const PLAN = {
  target: TARGET,
  targetUID: 'uid-checkout',
  workflow: 'rollback',
  workflowId: 'wf-rollback',
  version: '1.0.0',
  actionType: 'RollbackDeployment',
} as const;

type Findings = readonly (readonly [AuditType, JsonObject])[];

function findings({ scores, hashes, reason }: Required<Pick<RemediationOptions, 'scores' | 'hashes' | 'reason'>>): Findings {
  if (scores === false) return [];
  return [
    ['effectiveness.hash.computed', hashes],
    ...Object.entries(scores).map(([component, score]) => [`effectiveness.${component as 'health'}.assessed`, { score }] as const),
    ['effectiveness.assessment.completed', { phase: 'Completed', reason }],
  ];
}
