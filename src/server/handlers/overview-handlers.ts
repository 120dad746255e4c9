import { toTime } from '../../base/index.ts';
import type { Caller } from '../access/caller.ts';
import { abilitiesOf } from '../access/demand-access.ts';
import type { Handlers } from '../api/handler-types.ts';
import { answerHealth, type HealthChecks } from '../health.ts';
import type { Health, Session } from '../contract/index.ts';
import type { MachineRows } from '../views/machine-rows.ts';
import type { RemediationRows } from '../views/remediation-rows.ts';
import { summarize } from '../views/summary.ts';
import { allApprovals } from './approval-handlers.ts';
import type { ApiParts } from './api-parts.ts';

type OverviewHandlers = Pick<Handlers, 'getSummary' | 'getSettings' | 'getHealth' | 'getSession'>;

/** Figures over everything, settings, health, and who asks. */
export const overviewHandlers = (parts: ApiParts, rows: RemediationRows, machines: MachineRows): OverviewHandlers => ({
  getSummary: async () =>
    summarize(
      {
        remediations: rows.all().map(({ summary }) => summary),
        approvals: allApprovals(parts.stores),
        machines: machines.machines(),
        checks: machines.checks(),
        signals: parts.journal.counts(),
        budget: await parts.actions.budget(),
      },
      parts.clock.now(),
    ),
  getSettings: () => parts.actions.settings(),
  getHealth: () => healthOf(parts.health),
  getSession: (_input, caller) => sessionOf(caller, parts),
});

async function sessionOf(caller: Caller, { namespace, version, clock }: ApiParts): Promise<Session> {
  const { user, groups, via } = caller;
  return { user, groups, via, may: await abilitiesOf(caller, namespace), version, namespace, now: toTime(clock.now()) };
}

async function healthOf(checks: HealthChecks): Promise<Health> {
  const ask = async (endpoint: 'livez' | 'readyz' | 'healthz') => {
    const { failures } = await answerHealth(
      { livez: [], readyz: [], [endpoint]: checks[endpoint] ?? [] },
      new URL(`http://localhost/${endpoint}`),
    );
    return (checks[endpoint] ?? []).map(({ name }) => {
      const failure = failures.find((each) => each.name === name);
      return { name, ok: !failure, endpoint, ...(failure && { message: failure.reason }) };
    });
  };
  const all = (await Promise.all([ask('livez'), ask('readyz'), ask('healthz')])).flat();
  const failing = all.filter(({ ok }) => !ok);
  const status = failing.length === 0 ? 'ok' : failing.every(({ endpoint }) => endpoint === 'healthz') ? 'impaired' : 'failing';
  return { status, checks: all };
}
