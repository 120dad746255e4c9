import { admissionPolicies } from '../../api/policies/index.ts';
import { after, messageOf, MINUTE, type Clock, type Logger } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { missingPolicy } from '../../kube/client/install-policies.ts';

export interface PolicyWatchOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Whether the cluster checks the names of approvers. */
export interface PolicyWatch {
  isChecked(): boolean;
  /** Checks every minute until the signal aborts; never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Checks whether the policies are installed that verify the names of approvers. Without them every user who may write a status may
 * sign with any name, so that no approval counts. Policies can change while Sickbay runs; the log reports it.
 */
export async function watchPolicies(options: PolicyWatchOptions): Promise<PolicyWatch> {
  const { clock } = options;
  let isChecked = await checkPolicies(options, undefined);
  return {
    isChecked: () => isChecked,
    async run(signal) {
      try {
        for (;;) {
          await clock.waitUntil(after(clock.now(), MINUTE), signal);
          isChecked = await checkPolicies(options, isChecked);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}

/** What cannot be read changes nothing; at the start approvals do not count. */
async function checkPolicies({ client, namespace, log }: PolicyWatchOptions, before: boolean | undefined): Promise<boolean> {
  try {
    const missing = await missingPolicy(admissionPolicies(namespace), client);
    const isChecked = missing === undefined;
    if (isChecked !== before) logChange(log, missing, before);
    return isChecked;
  } catch (error) {
    log.warn('cannot read whether the cluster checks the names of approvers', { error: messageOf(error) });
    return before ?? false;
  }
}

function logChange(log: Logger, missing: string | undefined, before: boolean | undefined): void {
  if (missing !== undefined)
    log.warn(
      'NO APPROVAL COUNTS: the cluster does not check the names of approvers. Install the policies with --install, or with kubectl apply -f deploy/policies',
      { missing },
    );
  else if (before === false) log.info('approvals count: the cluster checks the names of approvers');
}
