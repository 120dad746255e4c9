import type { FastifyPluginCallback } from 'fastify';
import { demandAccess } from '../access/demand-access.ts';
import { approvalHandlers } from '../handlers/approval-handlers.ts';
import type { ApiParts } from '../handlers/api-parts.ts';
import { auditHandlers } from '../handlers/audit-handlers.ts';
import { changesHandlers } from '../handlers/changes-handlers.ts';
import { machineHandlers } from '../handlers/machine-handlers.ts';
import { overviewHandlers } from '../handlers/overview-handlers.ts';
import { remediationHandlers } from '../handlers/remediation-handlers.ts';
import { signalHandlers } from '../handlers/signal-handlers.ts';
import { workflowHandlers } from '../handlers/workflow-handlers.ts';
import { MachineRows } from '../views/machine-rows.ts';
import { RemediationRows } from '../views/remediation-rows.ts';
import { apiRoutes } from './api-routes.ts';
import type { Handlers } from './handler-types.ts';

/** The API over the caches of a process. */
export function createApi(parts: ApiParts): FastifyPluginCallback {
  const { callers, namespace, log } = parts;
  return apiRoutes({
    handlers: handlersOf(parts),
    callers,
    demand: (caller, access) => demandAccess(caller, access, namespace),
    log,
  });
}

function handlersOf(parts: ApiParts): Handlers {
  const rows = new RemediationRows(parts.stores);
  const machines = new MachineRows(parts.stores);
  return {
    ...remediationHandlers(parts, rows),
    ...approvalHandlers(parts),
    ...machineHandlers(machines),
    ...workflowHandlers(parts),
    ...auditHandlers(parts),
    ...overviewHandlers(parts, rows, machines),
    ...signalHandlers(parts.journal),
    ...changesHandlers(parts, rows, machines),
  };
}
