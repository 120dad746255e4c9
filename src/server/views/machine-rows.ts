import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../api/machine/machine.ts';
import type { Store } from '../../kube/cache/cache.ts';
import type { MachineCheck, MachineView } from '../contract/index.ts';
import { machineCheckView } from './machine-check-view.ts';
import { machineView } from './machine-view.ts';

/** Where Machines are cached; both are absent where Sickbay does not handle Machines. */
export interface MachineStores {
  readonly machines?: Store<Machine> | undefined;
  readonly checks?: Store<MachineHealthCheck> | undefined;
}

/** All Machines with their health. They are made again when they are next read after a change. */
export class MachineRows {
  readonly #stores: MachineStores;
  #machines: readonly MachineView[] | undefined;
  #checks: readonly MachineCheck[] | undefined;

  constructor(stores: MachineStores) {
    this.#stores = stores;
    const outdated = (): void => {
      this.#machines = undefined;
      this.#checks = undefined;
    };
    stores.machines?.onChange(outdated);
    stores.checks?.onChange(outdated);
  }

  /** Unhealthy ones first, then unknown ones, each by name. */
  machines(): readonly MachineView[] {
    return (this.#machines ??= viewsOf(this.#stores));
  }

  checks(): readonly MachineCheck[] {
    return (this.#checks ??= (this.#stores.checks?.list() ?? []).map(machineCheckView));
  }
}

function viewsOf({ machines, checks }: MachineStores): readonly MachineView[] {
  const checkOf = checksByMachine(checks?.list() ?? []);
  return (machines?.list() ?? [])
    .map((machine) => machineView(machine, checkOf.get(`${machine.metadata.namespace ?? ''}/${machine.metadata.name}`)))
    .toSorted((a, b) => RANKS[a.healthy] - RANKS[b.healthy] || compareText(placeOf(a), placeOf(b)));
}

const RANKS = { False: 0, Unknown: 1, True: 2 } as const;

const placeOf = ({ namespace, name }: MachineView): string => `${namespace}/${name}`;

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The check that watches each Machine: the first by name, where several do. */
function checksByMachine(checks: readonly MachineHealthCheck[]): ReadonlyMap<string, MachineHealthCheck> {
  const found = new Map<string, MachineHealthCheck>();
  for (const check of checks)
    for (const machine of check.status?.targets ?? []) {
      const key = `${check.metadata.namespace ?? ''}/${machine}`;
      if (!found.has(key)) found.set(key, check);
    }
  return found;
}
