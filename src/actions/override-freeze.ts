import { isTerminal } from '../api/phases.ts';
import { remediationPhases } from '../api/remediation-request/phases.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { PlatformError } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
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
  const { [ANNOTATIONS.overrideFreeze]: earlier, [ANNOTATIONS.overrideFreezeBy]: earlierBy = 'an unknown user' } =
    metadata.annotations ?? {};
  if (earlier !== undefined) throw conflict(`${earlierBy} overrode change freezes for ${name} already`);
  const overriddenBy = await whoAmI(client);
  const annotations = { [ANNOTATIONS.overrideFreeze]: reason, [ANNOTATIONS.overrideFreezeBy]: overriddenBy };
  // Its UID is named: another request of the same name is not meant.
  await client.patch(RemediationRequest, { namespace, name }, { type: 'merge', body: { metadata: { uid: metadata.uid, annotations } } });
  return { name, namespace, ...(changeWindow && { window: changeWindow.name }), overriddenBy };
}

/** For the terminal, or as JSON. */
export function overriddenText(overridden: Overridden, output: 'text' | 'json'): string {
  if (output === 'json') return JSON.stringify(overridden, undefined, 2);
  const { name, window, overriddenBy } = overridden;
  const what = window === undefined ? 'change freezes and maintenance windows' : window;
  return `${name} no longer waits for ${what}: overridden by ${overriddenBy}. It is analysed again, and every other check still applies.`;
}

const conflict = (message: string): PlatformError => new PlatformError('Conflict', message, { retry: 'never' });
