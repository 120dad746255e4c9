import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../api/meta.ts';
import { HOUR } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest } from '../observe.ts';
import { ago, aNamespace, analyzing, aRequest, aWorkflow, NOW, UNREADABLE, value } from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';
import { awaitingApproval, planned } from '../testing/planned.ts';

const stays = { overallPhase: 'Analyzing' } as const;
const dry = { overallPhase: 'Completed', outcome: 'DryRun', nextAllowedExecution: ago(-HOUR) } as const;

function unlabelled(namespace: KubeObject): KubeObject {
  const { labels: _, ...metadata } = namespace.metadata;
  return { ...namespace, metadata };
}

const cases: readonly DecisionCase[] = [
  {
    name: '[RR-258, CO-082] asked for by the request',
    reason: 'it ends where it would begin to act',
    spec: { dryRun: true },
    seen: planned(),
    want: dry,
    says: 'dry run, set by the request (spec.dryRun): rollback-deployment:1.0.0 on Deployment shop/checkout would have been run',
  },
  {
    name: '[RR-258] asked for by the namespace',
    reason: 'any of them is enough',
    seen: planned({ namespace: value(aNamespace({ 'kubernaut.ai/dry-run': 'true' })) }),
    want: dry,
    says: 'namespace shop (label kubernaut.ai/dry-run)',
  },
  {
    name: '[RR-258, CO-167] asked for by the workflow',
    reason: 'any of them is enough',
    seen: planned({ workflow: value(aWorkflow({ dryRun: true })) }),
    want: dry,
    says: 'RemediationWorkflow rollback-deployment (spec.dryRun)',
  },
  {
    name: '[CO-099, EM-084] with an approval to ask for',
    reason: 'no approval is requested for a plan that is not run',
    spec: { dryRun: true },
    seen: awaitingApproval(),
    want: dry,
  },
  ...(
    [
      ['the namespace', { namespace: value(aNamespace({ 'kubernaut.ai/dry-run': 'false' })) }],
      ['a namespace without labels', { namespace: value(unlabelled(aNamespace())) }],
      ['the workflow', { workflow: value(aWorkflow({ dryRun: false })) }],
    ] as const
  ).map(([name, seen]) => ({
    name: `not asked for by ${name}`,
    reason: 'only who says so asks for one',
    seen: planned(seen),
    want: stays,
    effects: ['Create WorkflowExecution we-rr'],
  })),
  {
    name: 'the namespace unreadable',
    reason: 'it may ask for one',
    seen: planned({ namespace: UNREADABLE }),
    want: stays,
  },
  {
    name: 'the workflow unreadable',
    reason: 'it may ask for one',
    seen: planned({ workflow: UNREADABLE }),
    want: stays,
  },
];

describe('a dry run', () => {
  test.each(cases)('$name: $reason', (row) => expectDecision({ status: analyzing, ...row }));

  test('[RR-258] asked for by the configuration', () => {
    const seen = { ...onlyRequest(aRequest(analyzing), { ...DEFAULT_SETTINGS, dryRun: true }), ...planned() };
    expect(decide(seen, NOW).status).toMatchObject({ ...dry, message: expect.stringContaining('the configuration (dryRun)') as string });
  });
});
