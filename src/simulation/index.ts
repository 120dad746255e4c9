/**
 * Virtual time on the memory API: the whole system on one thread, from a seed, with faults where a FaultSource puts them.
 *
 * - `simulation.ts` is the world: server, mirror of the truth, replicas, invariants; start there.
 * - `replica.ts` is a process that can die, freeze and have its clock set; `replica-transport.ts` and `watch-pipe.ts` are
 *   its way to the server, where requests and events get lost, late or refused.
 * - `fault.ts` names what can go wrong and the points where it can; a run writes down what it injected, so that it can be
 *   repeated and made smaller.
 * - `journal.ts` is the log that a person reads; `repeated-creates.ts` catches a process that acts on the past.
 */
export * from './fault.ts';
export * from './journal.ts';
export * from './mirror.ts';
export * from './replica.ts';
export * from './simulation.ts';
export * from './virtual-time.ts';
