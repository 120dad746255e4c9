/** The types of Kubernetes' own kinds, for the kinds defined here and for those who use them. */
export * from '../../kube/builtin/index.ts';
