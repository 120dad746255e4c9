/** How a kind is addressed, for the kinds defined here and for those who use them. */
export * from '../kube/resource.ts';
