import type { Machine } from '../../api/machine/machine.ts';
import type { TargetSeen } from './observe-check.ts';

/** How Machines are looked at. */
export interface Look {
  /** In full; undefined when the check is not about the Machine. */
  see(machine: Machine): TargetSeen | undefined;
  /** Whether all that was seen beside the Machine is there still, unchanged. */
  isStill(seen: TargetSeen): boolean;
}

interface Entry {
  readonly machine: Machine;
  readonly seen: TargetSeen | undefined;
}

/**
 * The targets of a check as they were seen last. Of thousands nearly all are well, and stay so until an object changes: they are taken over as
 * they are, so that a pass costs what changed and not what is there. Nothing here decides; forgetting it costs only time.
 */
export class Roll {
  #entries: readonly Entry[] = [];
  #restsOn: readonly unknown[] = [];

  /** `restsOn` is what all of them were looked at by: when any of it is another, so is everything. */
  call(machines: readonly Machine[], restsOn: readonly unknown[], look: Look): readonly TargetSeen[] {
    const isSameRest = restsOn.length === this.#restsOn.length && restsOn.every((thing, i) => thing === this.#restsOn[i]);
    // By place: one Machine more or fewer, and those behind it are looked at anew.
    const before = isSameRest ? this.#entries : [];
    this.#entries = machines.map((machine, i) => {
      const last = before[i];
      return last?.machine === machine && lasts(last, look) ? last : { machine, seen: look.see(machine) };
    });
    this.#restsOn = restsOn;
    return this.#entries.flatMap(({ seen }) => seen ?? []);
  }
}

/** What is wrong with a Machine is a matter of time, and looked at each time. */
const lasts = ({ seen }: Entry, look: Look): boolean => seen === undefined || (seen.verdict.kind === 'healthy' && look.isStill(seen));
