import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Reader } from '../../../../runtime/reconcile/controller.ts';
import type { OverJudge } from '../../../budget/index.ts';

/**
 * Whether a power cycle with a claim in the budget has finished. A request ends its claim itself, before its finalizer is removed. A claim remains
 * only if the request was deleted by force, and a live read must confirm that it is gone.
 */
export const powerCycleFinished = (reader: Reader): OverJudge => ({
  look: () => 'unsure',
  async ask({ key, uid }) {
    const slash = key.indexOf('/');
    const found = await reader.fetch(PowerCycleRemediation, { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) });
    return found.kind === 'absent' || (found.kind === 'value' && found.value.metadata.uid !== uid);
  },
});
