import { systemClock } from '../base/index.ts';
import { createClient, httpTransport, loadConfig } from '../kube/index.ts';
import { decideApproval, type Decided } from './decide-approval.ts';
import type { DecideFlags } from './decide-commands.ts';

/** Decides with the identity that a person's kubeconfig gives them. */
export async function decideAs(decision: Decided['decision'], name: string, flags: DecideFlags): Promise<Decided> {
  const { kubeconfig, context, namespace, reason, workflow, parameter } = flags;
  const config = await loadConfig({
    clock: systemClock,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  const transport = httpTransport({ ...config, userAgent: 'sickbay' });
  try {
    return await decideApproval(createClient(transport), systemClock, {
      namespace,
      name,
      decision,
      ...(reason !== undefined && { reason }),
      ...(workflow !== undefined && { workflow }),
      ...(parameter && { parameters: parameter }),
    });
  } finally {
    await transport.close();
  }
}
