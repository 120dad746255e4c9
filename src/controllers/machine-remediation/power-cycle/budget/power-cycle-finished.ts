import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import type { Reader } from '../../../../runtime/reconcile/controller.ts';
import type { OverJudge } from '../../../budget/index.ts';

/**
 * When a power cycle is really over, for the budget. A request gives its claim back itself; only one that somebody took away by force cannot,
 * and that it is gone is for the server to say.
 */
export const powerCycleOver = (reader: Reader): OverJudge => ({
  look: () => 'unsure',
  async ask({ key, uid }) {
    const slash = key.indexOf('/');
    const found = await reader.fetch(PowerCycleRemediation, { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) });
    return found.kind === 'absent' || (found.kind === 'value' && found.value.metadata.uid !== uid);
  },
});
