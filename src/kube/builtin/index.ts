/**
 * Types for the kinds of others that we read or write, with only the members that we use. Each name is both the type and its `Resource`.
 * They are written by hand: the server validates them, we do not.
 */
export * from './access.ts';
export * from './admission.ts';
export * from './by-kind.ts';
export * from './cluster-api.ts';
export * from './core.ts';
export * from './custom-resource-definition.ts';
export * from './lease.ts';
export * from './node-state.ts';
export * from './pipeline-run.ts';
export * from './pod.ts';
export * from './workloads.ts';
