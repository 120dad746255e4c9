import { isTerminal } from '../api/phases.ts';
import { remediationPhases } from '../api/remediation-request/phases.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { PlatformError } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { digestOfOverride, overrideIn } from '../controllers/remediation/routing/index.ts';
import { whoAmI } from '../kube/identity/who-am-i.ts';

/** Which remediation a person has run in spite of change freezes, and why. */
export interface Overriding {
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
}

/** What was overridden, for people and for programs. */
export interface Overridden {
  readonly name: string;
  readonly namespace: string;
  /** The freeze or window that it waits for now; absent where it waits for none. */
  readonly window?: string;
  readonly overriddenBy: string;
}

/** Has a remediation run in spite of change freezes and maintenance windows, signed by the user. All other gates stay. */
export async function overrideFreeze(client: KubeClient, { namespace, name, reason }: Overriding): Promise<Overridden> {
  const { metadata, status = {} } = await client.get(RemediationRequest, { namespace, name });
  const { overallPhase = 'Pending', outcome = overallPhase, changeWindow } = status;
  if (isTerminal(remediationPhases, overallPhase)) throw conflict(`${name} has ended (${outcome}): there is nothing to override`);
  const earlier = overrideIn({ metadata });
  if (earlier && status.ignoredOverride !== digestOfOverride(earlier))
    throw conflict(`${earlier.by} overrode change freezes for ${name} already`);
  const overriddenBy = await whoAmI(client);
  if (digestOfOverride({ by: overriddenBy, reason }) === status.ignoredOverride)
    throw conflict(
      `your override of ${name} with this reason was given while names were not verified, and does not count: give another --reason`,
    );
  const annotations = { [ANNOTATIONS.overrideFreeze]: reason, [ANNOTATIONS.overrideFreezeBy]: overriddenBy };
  // Its UID is named: another request of the same name is not meant.
  await client.patch(RemediationRequest, { namespace, name }, { type: 'merge', body: { metadata: { uid: metadata.uid, annotations } } });
  return { name, namespace, ...(changeWindow && { window: changeWindow.name }), overriddenBy };
}

/** For the terminal, or as JSON. */
export function overriddenText(overridden: Overridden, output: 'text' | 'json'): string {
  if (output === 'json') return JSON.stringify(overridden, undefined, 2);
  const { name, namespace, window, overriddenBy } = overridden;
  const what = window === undefined ? 'change freezes and maintenance windows' : window;
  return [
    `recorded; ${overriddenBy} overrides ${what} for ${name}.`,
    `It counts where the cluster verifies names, which takes the admission policies: sickbay explain ${name} -n ${namespace} shows whether it waits still.`,
    'Where it counts, the plan is checked again, after a long wait it is made again, and every other check still applies.',
  ].join(' ');
}

const conflict = (message: string): PlatformError => new PlatformError('Conflict', message, { retry: 'never' });
