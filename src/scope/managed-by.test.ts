import { describe, expect, test } from 'vitest';
import { anObject } from '../testkit/fake-client.ts';
import { isGitOps, managedBy } from './managed-by.ts';

interface Case {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly want: object | undefined;
}

const ARGO = { tool: 'argocd', text: 'Argo CD Application shop' };
const FLUX = { tool: 'flux', text: 'Flux Kustomization flux-system/apps' };
const HELM = { tool: 'helm', text: 'Helm release checkout' };

const cases: readonly Case[] = [
  { name: 'nothing', want: undefined },
  {
    name: 'the labels that Kubernetes recommends for any application',
    labels: { 'app.kubernetes.io/name': 'checkout', 'app.kubernetes.io/instance': 'checkout' },
    want: undefined,
  },
  { name: 'another tool in managed-by', labels: { 'app.kubernetes.io/managed-by': 'kustomize' }, want: undefined },
  {
    name: "Argo CD's tracking annotation",
    annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/checkout' },
    want: { ...ARGO, shownBy: 'annotation argocd.argoproj.io/tracking-id' },
  },
  {
    name: "Argo CD's instance label",
    labels: { 'argocd.argoproj.io/instance': 'shop' },
    want: { ...ARGO, shownBy: 'label argocd.argoproj.io/instance' },
  },
  {
    name: 'a sync option of Argo CD',
    annotations: { 'argocd.argoproj.io/sync-wave': '1' },
    want: { tool: 'argocd', shownBy: 'annotation argocd.argoproj.io/sync-wave' },
  },
  {
    name: 'instance and managed-by: argocd',
    labels: { 'app.kubernetes.io/instance': 'shop', 'app.kubernetes.io/managed-by': 'ArgoCD' },
    want: { ...ARGO, shownBy: 'label app.kubernetes.io/managed-by' },
  },
  {
    name: 'a Helm chart that Argo CD renders',
    labels: { 'app.kubernetes.io/managed-by': 'Helm', 'app.kubernetes.io/instance': 'checkout' },
    annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/checkout' },
    want: ARGO,
  },
  {
    name: 'a Kustomization of Flux',
    labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
    want: { ...FLUX, shownBy: 'label kustomize.toolkit.fluxcd.io/name' },
  },
  {
    name: 'an annotation of a Flux Kustomization alone',
    annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' },
    want: { tool: 'flux', shownBy: 'annotation kustomize.toolkit.fluxcd.io/prune' },
  },
  {
    name: 'a HelmRelease of Flux, with the labels of its chart',
    labels: {
      'helm.toolkit.fluxcd.io/name': 'checkout',
      'helm.toolkit.fluxcd.io/namespace': 'shop',
      'app.kubernetes.io/managed-by': 'Helm',
    },
    want: { tool: 'flux', text: 'Flux HelmRelease shop/checkout' },
  },
  { name: 'managed-by: flux', labels: { 'app.kubernetes.io/managed-by': 'flux' }, want: { tool: 'flux' } },
  {
    name: 'the release annotation of Helm',
    annotations: { 'meta.helm.sh/release-name': 'checkout', 'meta.helm.sh/release-namespace': 'shop' },
    want: { ...HELM, shownBy: 'annotation meta.helm.sh/release-name' },
  },
  {
    name: 'managed-by: Helm',
    labels: { 'app.kubernetes.io/managed-by': 'Helm', 'app.kubernetes.io/instance': 'checkout' },
    want: { ...HELM, shownBy: 'label app.kubernetes.io/managed-by' },
  },
];

const seen = ({ labels, annotations }: Omit<Case, 'name' | 'want'>) =>
  managedBy(anObject('Deployment', { metadata: { namespace: 'shop', labels, annotations } }));

describe('managedBy', () => {
  test.each(cases)('[CO-079] $name (ruling 120)', ({ want, ...marks }) =>
    want ? expect(seen(marks)).toMatchObject(want) : expect(seen(marks)).toBeUndefined(),
  );

  test.each<[string, Omit<Case, 'name' | 'want'>, string]>([
    ['Argo CD', { labels: { 'argocd.argoproj.io/instance': 'shop' } }, 'argocd app sync shop'],
    [
      'Flux',
      { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'gitops' } },
      'flux reconcile kustomization apps -n gitops --with-source',
    ],
    ['Helm', { annotations: { 'meta.helm.sh/release-name': 'checkout' } }, 'helm rollback checkout -n shop'],
  ])('%s: says how its owner is changed instead', (_, marks, command) => expect(seen(marks)?.changeThrough).toContain(command));

  test('Argo CD and Flux are GitOps tools, Helm alone is not', () =>
    expect((['argocd', 'flux', 'helm'] as const).map((tool) => isGitOps({ tool, text: '', shownBy: '', changeThrough: '' }))).toEqual([
      true,
      true,
      false,
    ]));
});
