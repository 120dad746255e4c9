/** The chain of a trail: what proves that events are those that were recorded. Start at `trail-row.ts` and `verify-trail.ts`. */
export type { ChainedTrail } from './chained-trail.ts';
export * from './checkpoint.ts';
export * from './checkpoint-file.ts';
export { keyPathOf } from './key-file.ts';
export { keyFileWarnings } from './key-file-warnings.ts';
export { exportLine, exportLineOfPart } from './trail-export.ts';
export type { TrailRow } from './trail-row.ts';
export * from './trail-watch.ts';
export * from './verify-trail.ts';
