import { accountIn } from '../../api/policies/index.ts';
import {
  createMachineHealthControllers,
  createUnmanagedCheckLogger,
  createWorkloadNodes,
  LOG_UNMANAGED_CHECK,
} from '../../controllers/machine-health/index.ts';
import { createPipelineRemediationController } from '../../controllers/machine-remediation/pipeline/index.ts';
import {
  createPowerCalls,
  createPowerCycleController,
  POWER_CALL,
  POWER_CYCLE,
  POWER_CYCLE_WORKERS,
  CommandFailures,
} from '../../controllers/machine-remediation/power-cycle/index.ts';
import type { Cache } from '../../kube/index.ts';
import { createRedfishClient } from '../../redfish/index.ts';
import type { CallHandler, Controller } from '../../runtime/index.ts';
import type { ProcessOptions } from './process.ts';

/** The controllers for Machines; none where Machines are not handled. */
export interface MachineParts {
  readonly controllers: readonly Controller[];
  readonly calls: Readonly<Record<string, CallHandler>>;
  readonly workersOf: Readonly<Record<string, number>>;
  /** Resolves when no connection to another cluster is left, after the controllers have stopped. */
  ended(): Promise<void>;
}

const NOTHING: MachineParts = { controllers: [], calls: {}, workersOf: {}, ended: () => Promise.resolve() };

/** Health checks of Machines, and the remediators. */
export function machineParts(options: ProcessOptions, cache: Cache): MachineParts {
  const { checksMachines, openCluster: open, settings, clock, steady, random, log } = options;
  if (!checksMachines) return NOTHING;
  const nodes = open && createWorkloadNodes({ cache, clock: steady, random, log, open });
  const hosts = { bmc: options.bmc ?? createRedfishClient({ steady }), failures: new CommandFailures() };
  return {
    controllers: [
      ...createMachineHealthControllers(() => settings().machineHealth, {
        definitions: checksMachines,
        nodes,
        keepsMachineSets: options.machineOwner !== undefined,
      }),
      createPipelineRemediationController(settings, options.account ?? accountIn(settings().namespace), {
        ...(nodes && { isLocalCluster: nodes.isLocal.bind(nodes) }),
        definitions: checksMachines,
      }) as Controller,
      createPowerCycleController({
        settings,
        ...hosts,
        isLocalCluster: nodes?.isLocal.bind(nodes),
        nodeOf: nodes?.get.bind(nodes),
        definitions: checksMachines,
      }) as Controller,
    ],
    calls: {
      [LOG_UNMANAGED_CHECK]: createUnmanagedCheckLogger(log),
      [POWER_CALL]: createPowerCalls({ client: cache.client, settings, clock, log, definitions: checksMachines, ...hosts }),
    },
    workersOf: { [POWER_CYCLE]: POWER_CYCLE_WORKERS },
    ended: async () => nodes?.ended(),
  };
}
