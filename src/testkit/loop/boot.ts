import { createProcess, type ProcessOptions } from '../../cli/process/process.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { Gateway } from '../../gateway/index.ts';
import { LEASE_TIMING } from '../../runtime/index.ts';
import type { Boot } from '../../simulation/index.ts';
import { noBugs } from '../no-bugs.ts';

/** Where Alertmanager finds the processes: the gateway of each, of its present life or its last. */
export type Gateways = Map<string, Gateway>;

/** Boots the very process that runs in production; only what it is given of the world is simulated. Events would only cost time. */
export const bootSickbay =
  (settings: Settings, gateways: Gateways, more: Pick<ProcessOptions, 'checksMachines'> = {}): Boot =>
  ({ name, transport, clock, steady, random, log, signal }) => {
    const sickbay = createProcess({
      transport,
      settings: () => settings,
      identityIsChecked: () => true,
      clock,
      steady,
      random,
      log,
      identity: `${name}-${random.uuid()}`,
      lease: LEASE_TIMING,
      metrics: noBugs,
      events: { record: () => Promise.resolve() },
      ...more,
    });
    gateways.set(name, sickbay.gateway);
    return sickbay.run(signal);
  };
