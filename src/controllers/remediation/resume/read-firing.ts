import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Listed } from '../../../kube/client/read.ts';
import type { Alertmanager, FiringAlert } from '../../../monitoring/index.ts';
import { signalsOf } from '../urgency.ts';

/** How many names of alerts are asked for: those of one workload are a few. */
const MOST_NAMES = 16;

/** The alerts with the names that the request stands for, as Alertmanager has them now. One that cannot be read makes the whole unreadable. */
export async function readFiring(alertmanager: Pick<Alertmanager, 'firing'>, request: RemediationRequest): Promise<Listed<FiringAlert>> {
  const found: FiringAlert[] = [];
  for (const { name } of signalsOf(request).slice(0, MOST_NAMES)) {
    const listed = await alertmanager.firing({ alertname: name });
    if (listed.kind === 'unreadable') return listed;
    found.push(...listed.value);
  }
  return { kind: 'value', value: found };
}
