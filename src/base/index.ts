/**
 * The bottom of the tree: time, chance, errors, logs and plain data. Imports nothing of ours.
 *
 * - `clock.ts` and `random.ts` are the only files that may ask the machine for time or chance (lint says so);
 *   everything else is handed a `Clock` or a `Random`, which is what makes simulation repeatable.
 * - `errors.ts` is the closed vocabulary of failures; `kube/errors.ts` builds the API's own on it.
 * - `backoff.ts` is how long to wait after failures in a row.
 * - `json.ts` is how plain data is copied, frozen and compared, `json-depth.ts` how deep a text may go, `given.ts` how absent members are left out, `clip.ts` how texts are cut; `quantity.ts` counts memory and CPU; `loopback.ts` is what only this machine reaches; `lazy.ts` makes costly constants when they are needed; `joined-reads.ts` reads once for all who ask at a time; `within.ts` waits only so long; `zoned-time.ts` is what clocks of a time zone show; `module-beside.ts` finds modules that are started; `printable.ts` shows text that must not be obeyed; `signal-child.ts` ends children.
 */
export * from './backoff.ts';
export * from './clip.ts';
export * from './clock.ts';
export * from './duration.ts';
export * from './errors.ts';
export * from './given.ts';
export * from './joined-reads.ts';
export * from './json.ts';
export * from './json-depth.ts';
export * from './lazy.ts';
export * from './log.ts';
export * from './loopback.ts';
export * from './module-beside.ts';
export * from './printable.ts';
export * from './random.ts';
export * from './signal-child.ts';
export * from './within.ts';
export * from './zoned-time.ts';
