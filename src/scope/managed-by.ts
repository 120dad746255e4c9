import type { KubeObject } from '../api/meta.ts';

/** The tool that applies an object from somewhere else, and so undoes or overwrites what is changed in the cluster. */
export interface Manager {
  readonly tool: 'argocd' | 'flux' | 'helm';
  /** As people call it: `Argo CD Application shop`. */
  readonly text: string;
  /** The label or annotation that shows it: `annotation argocd.argoproj.io/tracking-id`. */
  readonly shownBy: string;
  /** How its owner is changed instead, as an instruction. */
  readonly changeThrough: string;
}

type Metadata = Pick<KubeObject, 'metadata'>;
type Marks = Readonly<Record<string, string>>;

/** All labels and annotations of an object; a label counts before an annotation of the same name. */
interface Marked {
  readonly marks: Marks;
  readonly labels: Marks;
  readonly namespace: string;
}

type Detect = (object: Marked) => Manager | undefined;

/**
 * Which tool manages an object; undefined for one that was applied by hand. Only its own labels and annotations decide. GitOps tools come
 * first: they render Helm charts, whose labels are then on the object too.
 */
export function managedBy({ metadata }: Metadata): Manager | undefined {
  const labels = metadata.labels ?? {};
  const object: Marked = { labels, marks: { ...metadata.annotations, ...labels }, namespace: metadata.namespace ?? '' };
  for (const detect of DETECTIONS) {
    const manager = detect(object);
    if (manager) return manager;
  }
  return undefined;
}

/** Whether a GitOps tool applies the object: Helm alone applies it only when a person or a pipeline runs it. */
export const isGitOps = ({ tool }: Manager): boolean => tool !== 'helm';

const MANAGED_BY = 'app.kubernetes.io/managed-by';
const INSTANCE = 'app.kubernetes.io/instance';

const ARGO_CD_NAMES: readonly string[] = ['argocd.argoproj.io/tracking-id', 'argocd.argoproj.io/instance'];

/** Of `app:apps/Deployment:shop/checkout` the first part is the name of the Application. */
function argoCd({ marks, labels }: Marked): Manager | undefined {
  const naming = firstOf(marks, ...ARGO_CD_NAMES);
  const shownBy = naming ?? withPrefix(marks, 'argocd.argoproj.io/') ?? managedByLabel(labels, ARGO_CD);
  if (shownBy === undefined) return undefined;
  const name = naming === undefined ? labels[INSTANCE] : marks[naming]?.split(':')[0];
  const text = `Argo CD Application ${name ?? '(not named)'}`;
  const sync = `argocd app sync ${name ?? 'APPLICATION'}`;
  return {
    tool: 'argocd',
    text,
    shownBy: placeOf(labels, shownBy),
    changeThrough: `revert the change in the Git repository of ${text} and sync it: ${sync}`,
  };
}

const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/';
const HELM_RELEASE = 'helm.toolkit.fluxcd.io/';

function flux({ marks, labels }: Marked): Manager | undefined {
  const prefix = [HELM_RELEASE, KUSTOMIZATION].find((wanted) => withPrefix(marks, wanted) !== undefined);
  const shownBy = prefix === undefined ? managedByLabel(labels, FLUX) : withPrefix(marks, prefix);
  if (shownBy === undefined) return undefined;
  const kind = prefix === HELM_RELEASE ? 'HelmRelease' : 'Kustomization';
  const name = prefix && marks[`${prefix}name`];
  const namespace = (prefix && marks[`${prefix}namespace`]) || 'flux-system';
  return {
    tool: 'flux',
    text: `Flux ${kind} ${name ? `${namespace}/${name}` : '(not named)'}`,
    shownBy: placeOf(labels, shownBy),
    changeThrough:
      'revert the change in the Git repository that Flux applies, then: ' +
      `flux reconcile ${kind.toLowerCase()} ${name ?? 'NAME'} -n ${namespace} --with-source`,
  };
}

function helm({ marks, labels, namespace }: Marked): Manager | undefined {
  const key = firstOf(marks, 'meta.helm.sh/release-name');
  const shownBy = key ?? managedByLabel(labels, HELM);
  if (shownBy === undefined) return undefined;
  const name = (key && marks[key]) || labels[INSTANCE];
  const at = marks['meta.helm.sh/release-namespace'] || namespace;
  return {
    tool: 'helm',
    text: `Helm release ${name ?? '(not named)'}`,
    shownBy: placeOf(labels, shownBy),
    changeThrough: `examine the release and roll it back: helm history ${name ?? 'RELEASE'} -n ${at}, then: helm rollback ${name ?? 'RELEASE'} -n ${at}`,
  };
}

/** Ordered: the first that recognizes its own marks decides. */
const DETECTIONS: readonly Detect[] = [argoCd, flux, helm];

const ARGO_CD: readonly string[] = ['argocd', 'argo-cd'];
const FLUX: readonly string[] = ['flux', 'fluxcd'];
const HELM: readonly string[] = ['helm'];

const managedByLabel = (labels: Marks, tools: readonly string[]): string | undefined =>
  tools.includes(labels[MANAGED_BY]?.toLowerCase() ?? '') ? MANAGED_BY : undefined;

const firstOf = (marks: Marks, ...keys: readonly string[]): string | undefined => keys.find((key) => Object.hasOwn(marks, key));

const withPrefix = (marks: Marks, prefix: string): string | undefined =>
  Object.keys(marks)
    .toSorted()
    .find((key) => key.startsWith(prefix));

const placeOf = (labels: Marks, key: string): string => `${Object.hasOwn(labels, key) ? 'label' : 'annotation'} ${key}`;
