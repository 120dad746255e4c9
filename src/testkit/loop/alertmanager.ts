import { Pod } from '../../api/builtin/index.ts';
import { SECOND } from '../../base/index.ts';
import { crashLoopAlert, isCrashLooping } from '../../cli/demo/story.ts';
import type { Simulation } from '../../simulation/index.ts';
import type { Gateways } from './boot.ts';

/** How often an alert that still fires is sent again. */
const REPEAT_MS = 15 * SECOND;

/** Sends firing alerts repeatedly to whichever process it reaches. Like Alertmanager, it does not wait until they are processed. */
export function playAlertmanager(simulation: Simulation, gateways: Gateways, firing: () => object | undefined): void {
  const send = (): Promise<void> => {
    simulation.later(REPEAT_MS, 'alertmanager', send);
    const webhook = firing();
    const gateway = gateways.size === 0 ? undefined : simulation.random.pick([...gateways.values()]);
    if (webhook && gateway) {
      simulation.journal.note('alertmanager', () => 'posts the alert');
      gateway.receive(webhook).then(
        ({ code }) => simulation.journal.note('alertmanager', () => `was answered ${code}`),
        (error: unknown) => simulation.violate(`the gateway threw: ${String(error)}`),
      );
    }
    return Promise.resolve();
  };
  simulation.later(REPEAT_MS, 'alertmanager', send);
}

/** The alert of a pod that crash loops, as long as there is one. */
export function crashLoopFiring(simulation: Simulation): object | undefined {
  const pod = simulation.mirror.all(Pod).find(isCrashLooping);
  return pod && crashLoopAlert(pod, simulation.time.now());
}
