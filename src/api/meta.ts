/** What every Kubernetes object has, for the kinds defined here and for those who use them. */
export * from '../kube/meta.ts';
