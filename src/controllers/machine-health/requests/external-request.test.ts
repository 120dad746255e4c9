import { describe, expect, test } from 'vitest';
import { LABELS } from '../../../api/well-known.ts';
import { pluralOf, requestDraft, requestResource, templateResource, type RemediationTemplate } from './external-request.ts';
import { aMachine } from '../testing/a-machine.ts';

const REFERENCE = { apiVersion: 'remediation.metal3.io/v1alpha1', kind: 'Metal3RemediationTemplate', name: 'group' };
const VALUES = { strategy: 'escalate', deleteAfterRetries: 10, powerOnTimeoutSeconds: 600, powerOffTimeoutSeconds: 120 };

const aTemplate = (template: object): RemediationTemplate => ({
  apiVersion: REFERENCE.apiVersion,
  kind: REFERENCE.kind,
  metadata: { name: 'group', namespace: 'machine-api', uid: 't', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { template: template as NonNullable<NonNullable<RemediationTemplate['spec']>['template']> },
});

describe('how templates and requests are addressed', () => {
  test('[MH-008] [MH-120] [MH-121] of an API group that is new to the cluster', () => {
    expect(templateResource(REFERENCE)).toMatchObject({
      group: 'remediation.metal3.io',
      version: 'v1alpha1',
      plural: 'metal3remediationtemplates',
    });
    expect(requestResource(REFERENCE)).toMatchObject({
      group: 'remediation.metal3.io',
      version: 'v1alpha1',
      kind: 'Metal3Remediation',
      plural: 'metal3remediations',
    });
  });

  test.each(['Metal3Remediation', 'Template'])('%s is no kind of template', (kind) =>
    expect(requestResource({ ...REFERENCE, kind })).toBeUndefined(),
  );

  test.each([
    ['remediation', 'remediations'],
    ['policy', 'policies'],
    ['relay', 'relays'],
    ['fix', 'fixes'],
    ['patch', 'patches'],
  ])('%s: %s', (one, many) => expect(pluralOf(one)).toBe(many));
});

describe('a request', () => {
  test('[MH-035] [MH-119] [MH-122] holds what stands under spec.template.spec, unchanged', () => {
    expect(requestDraft(aTemplate({ spec: VALUES }), REFERENCE, aMachine())).toMatchObject({ kind: 'Metal3Remediation', spec: VALUES });
  });

  test('[MH-090] [MH-091] [MH-095] [MH-118] [MH-130] has the name and namespace of the Machine, and one owner', () => {
    const draft = requestDraft(
      aTemplate({ metadata: { name: 'another', namespace: 'elsewhere', labels: { a: 'b' }, annotations: { c: 'd' } }, spec: {} }),
      REFERENCE,
      aMachine(),
    );
    expect(draft.metadata).toEqual({
      name: 'worker-0',
      namespace: 'machine-api',
      labels: { a: 'b' },
      annotations: {
        c: 'd',
        'cluster.x-k8s.io/cloned-from-name': 'group',
        'cluster.x-k8s.io/cloned-from-groupkind': 'Metal3RemediationTemplate.remediation.metal3.io',
      },
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'worker-0', uid: 'm-0' }],
    });
  });

  test('is of the kind that the reference names, whatever the template says', () => {
    const other = aTemplate({ apiVersion: 'another.example/v1', kind: 'Another', spec: VALUES });
    expect(requestDraft(other, REFERENCE, aMachine())).toMatchObject({ apiVersion: REFERENCE.apiVersion, kind: 'Metal3Remediation' });
  });

  test('names the cluster of the Machine, where there is one', () => {
    const draft = requestDraft(aTemplate({ spec: {} }), REFERENCE, aMachine({ spec: { clusterName: 'prod' } }));
    expect(draft.metadata.labels).toEqual({ [LABELS.clusterName]: 'prod' });
  });

  test('[MH-129] carries no finalizer and no status of the template', () => {
    const draft = requestDraft(aTemplate({ metadata: { finalizers: ['x'] }, spec: {}, status: { phase: 'done' } }), REFERENCE, aMachine());
    expect(draft).not.toHaveProperty('status');
    expect(draft.metadata.finalizers).toBeUndefined();
  });
});
