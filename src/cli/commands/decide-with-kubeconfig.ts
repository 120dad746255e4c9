import { systemClock } from '../../base/index.ts';
import { decideApproval, type Decided } from '../../actions/index.ts';
import type { DecideFlags } from './decide-commands.ts';
import { withKubeconfig } from './with-kubeconfig.ts';

/** Decides with the identity of the user's kubeconfig. */
export const decideAs = (decision: Decided['decision'], name: string, flags: DecideFlags): Promise<Decided> =>
  withKubeconfig(flags, (client) => {
    const { namespace, reason, workflow, parameter } = flags;
    return decideApproval(client, systemClock, {
      namespace,
      name,
      decision,
      ...(reason !== undefined && { reason }),
      ...(workflow !== undefined && { workflow }),
      ...(parameter && { parameters: parameter }),
    });
  });
