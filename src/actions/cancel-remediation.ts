import { isTerminal } from '../api/phases.ts';
import { remediationPhases } from '../api/remediation-request/phases.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { PlatformError } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { whoAmI } from '../kube/identity/who-am-i.ts';

/** Which remediation a person cancels, and why. */
export interface Cancelling {
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
}

/** Asks the orchestrator to cancel a remediation, signed by the user; a run that is under way is stopped. Returns the user's name. */
export async function cancelRemediation(client: KubeClient, { namespace, name, reason }: Cancelling): Promise<string> {
  const { metadata, status = {} } = await client.get(RemediationRequest, { namespace, name });
  const { overallPhase = 'Pending', outcome = overallPhase } = status;
  if (isTerminal(remediationPhases, overallPhase)) throw conflict(`${name} has ended (${outcome}): there is nothing to cancel`);
  const { [ANNOTATIONS.cancel]: earlier, [ANNOTATIONS.cancelBy]: earlierBy = 'an unknown user' } = metadata.annotations ?? {};
  if (earlier !== undefined) throw conflict(`${earlierBy} cancelled ${name} already`);
  const user = await whoAmI(client);
  const annotations = { [ANNOTATIONS.cancel]: reason, [ANNOTATIONS.cancelBy]: user };
  // Held to its UID: another request of the same name is not meant.
  await client.patch(RemediationRequest, { namespace, name }, { type: 'merge', body: { metadata: { uid: metadata.uid, annotations } } });
  return user;
}

const conflict = (message: string): PlatformError => new PlatformError('Conflict', message, { retry: 'never' });
