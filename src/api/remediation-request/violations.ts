import { sampleDigest } from '../parts/sample-story.ts';
import { changedOrRemoved, changedSpec, type Violation } from '../violation.ts';

const LIMITS = ['global', 'processing', 'analyzing', 'awaitingApproval', 'executing', 'verifying'] as const;

export const remediationRequestViolations: readonly Violation[] = [
  changedSpec({ '/spec/signalName': 'OtherAlert' }),
  changedSpec({ '/spec/dryRun': undefined }),
  { rule: 'signalFingerprint is immutable', field: 'spec.signalFingerprint', from: {}, to: { '/spec/signalFingerprint': 'c0'.repeat(32) } },
  ...changedOrRemoved('preRemediationSpecHash is immutable once it is set', {
    field: 'status.preRemediationSpecHash',
    pointer: '/status/preRemediationSpecHash',
    value: sampleDigest('f'),
  }),
  ...LIMITS.map((scope) => ({
    rule: 'a limit must be longer than 0',
    field: `status.timeoutConfig.${scope}`,
    to: { [`/status/timeoutConfig/${scope}`]: '0m0.0s' },
  })),
];
