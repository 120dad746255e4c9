import { describe, expect, test } from 'vitest';
import type { ObjectMeta } from '../api/meta.ts';
import { throughOwner } from './change-through-owner.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosis } from './diagnosis.ts';
import { aDeployment, evidenceOf, NOW, TARGET } from './testing/a-deployment.ts';

const evidence = evidenceOf();
const diagnosed = (metadata: Partial<ObjectMeta>): Diagnosis =>
  diagnose({ ...evidence, deployment: { ...evidence.deployment, metadata: { ...evidence.deployment.metadata, ...metadata } } }, NOW);

describe('a rollback of what another tool applies', () => {
  test.each<{ name: string; metadata: Partial<ObjectMeta>; says: string; advice: string }>([
    {
      name: 'Argo CD',
      metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/checkout' } },
      says: 'it is managed by Argo CD Application shop (annotation argocd.argoproj.io/tracking-id)',
      advice: 'argocd app sync shop',
    },
    {
      name: 'Flux',
      metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' } },
      says: 'it is managed by Flux Kustomization',
      advice: 'flux reconcile kustomization shop',
    },
    {
      name: 'Helm',
      metadata: { labels: { 'app.kubernetes.io/managed-by': 'Helm', 'app.kubernetes.io/instance': 'shop' } },
      says: 'it is managed by Helm release shop',
      advice: 'helm rollback shop',
    },
    {
      name: 'a controller of its own',
      metadata: { ownerReferences: [{ apiVersion: 'shop.io/v1', kind: 'Shop', name: 'main', uid: 'u', controller: true }] },
      says: 'it is managed by Shop main (its controller reference)',
      advice: 'kubectl edit -n shop shop main',
    },
  ])('$name: is handed over with the cause and how the owner is changed', ({ metadata, says, advice }) => {
    const diagnosis = diagnosed(metadata);
    expect(diagnosis.kind).toBe('Unclear');
    if (diagnosis.kind !== 'Unclear') return;
    expect(diagnosis.reason).toContain('revision 3 of Deployment shop/checkout crashes (exit code 1) since it was rolled out');
    expect(diagnosis.reason).toContain(says);
    expect(diagnosis.advice).toContain(advice);
  });

  test('what is applied by hand is rolled back', () => expect(diagnosed({}).kind).toBe('Diagnosed'));

  test('a restart leaves the spec alone, so that it may run', () => {
    const restart: Diagnosis = {
      kind: 'Diagnosed',
      fault: 'Stuck',
      cause: 'it hangs',
      actionType: 'DeleteStuckPod',
      target: TARGET,
      parameters: {},
      confidence: 0.9,
      evidence: [],
    };
    const managed = { ...aDeployment(), metadata: { ...aDeployment().metadata, labels: { 'app.kubernetes.io/managed-by': 'Helm' } } };
    expect(throughOwner(restart, managed)).toBe(restart);
    expect(throughOwner({ ...restart, actionType: 'RestartWorkload' }, managed).kind).toBe('Diagnosed');
  });
});
