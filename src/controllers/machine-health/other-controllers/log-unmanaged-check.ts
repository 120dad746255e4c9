import { sameJson, type Logger } from '../../../base/index.ts';
import { Recent } from '../../../kube/cache/recently-used.ts';
import type { CallHandler } from '../../../runtime/reconcile/effects.ts';

const MOST_CHECKS = 4_096;

/** Logs the state of checks that another controller manages, whenever it changes. */
export function createUnmanagedCheckLogger(log: Logger): CallHandler {
  const last = new Recent<{ input: unknown }>(MOST_CHECKS);
  return ({ key, input }) => {
    const known = last.of(key, () => ({ input: undefined }));
    if (!sameJson(known.input ?? null, input))
      log.info('evaluated a MachineHealthCheck that another controller manages', { ...(input as object) });
    known.input = input;
    return Promise.resolve();
  };
}
