import { ApiProblem } from '../api/api-problem.ts';
import type { Handlers } from '../api/handler-types.ts';
import type { MachineCheck, MachineView } from '../contract/index.ts';
import type { MachineRows } from '../views/machine-rows.ts';
import { pageFrom, type Order } from '../views/page.ts';

type MachineHandlers = Pick<Handlers, 'listMachines' | 'getMachine' | 'listMachineChecks' | 'getMachineCheck'>;

const isWanted = (wanted: string | undefined, value: string | undefined): boolean => wanted === undefined || wanted === value;

/** Machines and their health checks. */
export function machineHandlers(rows: MachineRows): MachineHandlers {
  return {
    listMachines({ limit, cursor, search, ...filters }) {
      const text = search?.toLowerCase() ?? '';
      const found = rows
        .machines()
        .filter(
          (machine) =>
            isWanted(filters.namespace, machine.namespace) &&
            isWanted(filters.cluster, machine.cluster) &&
            isWanted(filters.check, machine.check) &&
            isWanted(filters.healthy, machine.healthy) &&
            (text === '' || `${machine.name} ${machine.node ?? ''}`.toLowerCase().includes(text)),
        );
      return pageFrom(
        found,
        { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) },
        machineOrder([text, filters]),
      );
    },
    getMachine: ({ namespace, name }) => found(rows.machines(), { kind: 'Machine', namespace, name }),
    listMachineChecks({ namespace, ...page }) {
      const checks = rows.checks().filter((check) => isWanted(namespace, check.namespace));
      return pageFrom<MachineCheck>(checks, page, {
        id: JSON.stringify(['checks', namespace]),
        isDescending: false,
        key: placeOf,
        name: () => '',
      });
    },
    getMachineCheck: ({ namespace, name }) => found(rows.checks(), { kind: 'MachineHealthCheck', namespace, name }),
  };
}

const placeOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string => `${namespace}/${name}`;

const RANKS = { False: '0', Unknown: '1', True: '2' } as const;

const machineOrder = (filters: unknown): Order<MachineView> => ({
  id: JSON.stringify(['machines', filters]),
  isDescending: false,
  key: ({ healthy }) => RANKS[healthy],
  name: placeOf,
});

function found<T extends MachineView | MachineCheck>(
  all: readonly T[],
  { kind, namespace, name }: { readonly kind: string; readonly namespace: string; readonly name: string },
): T {
  const one = all.find((each) => each.namespace === namespace && each.name === name);
  if (!one) throw new ApiProblem(404, `there is no ${kind} ${namespace}/${name}`);
  return one;
}
