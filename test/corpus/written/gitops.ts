import { handOver, NOTHING_TO_DO, plan, type CorpusCase } from '../corpus-case.ts';
import { deployment, on } from '../fault.ts';
import { ago, anObject, still } from './build.ts';
import { aDeploymentWith, crashing, running } from './workload.ts';

const origin = 'written';
const DAYS = 24 * 60;
const managed = 'Git would roll forward again';
const crash = { name: 'KubePodCrashLooping', target: deployment('checkout') };

const crashed = (metadata: object) =>
  aDeploymentWith(
    [
      { revision: 7, minutesAgo: 20, container: { image: 'registry.test/shop/checkout:1.5.0' }, looks: [crashing(), crashing()] },
      { revision: 6, minutesAgo: 3 * DAYS },
    ],
    { metadata: { ...metadata } },
  );

const application = (status: object) =>
  anObject('argoproj.io/v1alpha1', 'Application', 'shop', {
    spec: { source: { repoURL: 'https://git.test/shop.git', path: 'deploy', targetRevision: 'main' }, destination: { namespace: 'shop' } },
    status: { ...status },
  });

const flux = (apiVersion: string, kind: string, reason: string, message: string) =>
  anObject(apiVersion, kind, 'shop', {
    spec: { interval: '5m' },
    status: { conditions: [{ type: 'Ready', status: 'False', reason, message, lastTransitionTime: ago(30) }] },
  });

const certificate = (ready: object, status: object) =>
  anObject('cert-manager.io/v1', 'Certificate', 'shop-tls', {
    spec: { secretName: 'shop-tls', issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer' }, dnsNames: ['shop.test'] },
    status: { conditions: [{ type: 'Ready', lastTransitionTime: ago(300), ...ready }], ...status },
  });

const expiring = { name: 'CertManagerCertExpirySoon', target: on('Certificate', 'shop-tls', 'cert-manager.io/v1') };

/** What Argo CD, Flux and cert-manager own. */
export const GITOPS: readonly CorpusCase[] = [
  {
    name: 'gitops-argo-managed-crash',
    origin,
    recording: still([
      crashed({
        annotations: { 'deployment.kubernetes.io/revision': '7', 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/checkout' },
      }),
      application({ sync: { status: 'Synced', revision: 'c0ffee1' }, health: { status: 'Degraded' } }),
    ]),
    alert: crash,
    misleading: managed,
    expected: [plan(/Git/), handOver(/git|argo/i)],
  },
  {
    name: 'gitops-flux-managed-crash',
    origin,
    recording: still([
      crashed({
        labels: { app: 'checkout', 'kustomize.toolkit.fluxcd.io/name': 'shop', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
      }),
    ]),
    alert: crash,
    misleading: managed,
    expected: [plan(/Git/), handOver(/git|flux/i)],
  },
  {
    name: 'gitops-owned-by-operator-crash',
    origin,
    recording: still([
      crashed({ ownerReferences: [{ apiVersion: 'shops.test/v1', kind: 'Shop', name: 'main', uid: 'uid-shop-main', controller: true }] }),
    ]),
    alert: crash,
    misleading: 'an operator writes this Deployment, and would write it again',
    expected: [handOver(/Shop|operator|own/)],
  },
  {
    name: 'gitops-argo-sync-failed',
    origin,
    recording: still([
      application({
        sync: { status: 'OutOfSync', revision: 'c0ffee1' },
        health: { status: 'Healthy' },
        operationState: {
          phase: 'Failed',
          message: 'one or more objects failed to apply: Deployment "checkout" is invalid: spec.selector: field is immutable',
        },
        conditions: [{ type: 'SyncError', message: 'Deployment "checkout" is invalid: spec.selector: field is immutable' }],
      }),
    ]),
    alert: { name: 'ArgoAppSyncFailed', target: on('Application', 'shop', 'argoproj.io/v1alpha1') },
    expected: [handOver(/immutable|sync/i)],
  },
  {
    name: 'gitops-flux-kustomization-failed',
    origin,
    recording: still([
      flux('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'BuildFailed', "kustomize build failed: no such file 'base/service.yaml'"),
    ]),
    alert: { name: 'FluxKustomizationNotReady', target: on('Kustomization', 'shop', 'kustomize.toolkit.fluxcd.io/v1') },
    expected: [handOver(/BuildFailed|service\.yaml/)],
  },
  {
    name: 'gitops-flux-helmrelease-failed',
    origin,
    recording: still([
      flux('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'UpgradeFailed', 'Helm upgrade failed: timed out waiting for the condition'),
    ]),
    alert: { name: 'FluxHelmReleaseNotReady', target: on('HelmRelease', 'shop', 'helm.toolkit.fluxcd.io/v2') },
    expected: [handOver(/UpgradeFailed|upgrade/i)],
  },
  {
    name: 'certificate-not-renewed',
    origin,
    recording: still([
      certificate(
        {
          status: 'False',
          reason: 'Failed',
          message: 'The certificate request has failed to complete and will be retried: acme: urn:ietf:params:acme:error:rateLimited',
        },
        { notAfter: '2026-11-17T00:00:00Z', renewalTime: '2026-10-18T00:00:00Z', failedIssuanceAttempts: 4, lastFailureTime: ago(120) },
      ),
    ]),
    alert: expiring,
    expected: [plan(/Certificate/), handOver(/rateLimited|issu|renew/i)],
  },
  {
    name: 'certificate-issuer-missing',
    origin,
    recording: still([
      certificate(
        {
          status: 'False',
          reason: 'DoesNotExist',
          message: 'Issuing certificate as Secret does not exist: ClusterIssuer "letsencrypt" not found',
        },
        {},
      ),
    ]),
    alert: { ...expiring, name: 'CertManagerCertNotReady' },
    expected: [handOver(/issuer/i)],
  },
  {
    name: 'certificate-renewed-already',
    origin,
    recording: still([
      certificate(
        { status: 'True', reason: 'Ready', message: 'Certificate is up to date and has not expired' },
        { notBefore: ago(30), notAfter: '2027-02-13T00:00:00Z', renewalTime: '2027-01-14T00:00:00Z' },
      ),
    ]),
    alert: expiring,
    misleading: 'it was renewed half an hour ago',
    expected: [NOTHING_TO_DO],
  },
  {
    name: 'kind-not-installed',
    origin,
    recording: still([aDeploymentWith([{ revision: 6, minutesAgo: 3 * DAYS, looks: [running(), running()] }])]),
    alert: expiring,
    misleading: 'cert-manager is not installed here',
    expected: [handOver()],
  },
];
