import { messageOf, PlatformError } from '../base/index.ts';
import { noMetrics, type LoopMetrics } from '../runtime/index.ts';

/** Decisions are total, so one that throws ends the process, which the simulation calls a violation: retries would hide it. */
export const noBugs: LoopMetrics = {
  ...noMetrics,
  passed(controller, outcome) {
    if (outcome.kind === 'failed' && outcome.step === 'decide')
      throw new PlatformError('Internal', `${controller}: decide threw: ${messageOf(outcome.error)}`);
  },
};
