import type { RemediationPhase } from '../../api/remediation-request/phases.ts';
import type { Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import type { Settings } from '../settings.ts';
import { decideAnalyzing } from './decide-analyzing.ts';
import { decideEnded } from './decide-ended.ts';
import { decideExecuting } from './decide-executing.ts';
import { decideNew, decidePending } from './decide-pending.ts';
import { decideProcessing } from './decide-processing.ts';
import { decideVerifying } from './decide-verifying.ts';
import type { RemediationSeen } from './observe.ts';
import { stay } from './status.ts';

type Decide = (seen: RemediationSeen, now: Instant, settings: Settings) => Decision;

/** Nothing leads here yet; what does will also lead out. */
const wait: Decide = ({ object }, now) => stay(object, { now });

/** The life of a remediation, from the signal to its end. */
const PHASES: Readonly<Record<RemediationPhase, Decide>> = {
  Pending: decidePending,
  Processing: decideProcessing,
  Analyzing: decideAnalyzing,
  AwaitingApproval: wait,
  Executing: decideExecuting,
  Verifying: decideVerifying,
  Blocked: wait,
  Completed: decideEnded,
  Failed: decideEnded,
  TimedOut: decideEnded,
  Skipped: decideEnded,
  Cancelled: decideEnded,
};

/** What is to be done about a request as it stands. */
export const decide: Decide = (seen, now, settings) => {
  const { metadata, status } = seen.object;
  // Its children go with it: creating one now would keep them coming.
  if (metadata.deletionTimestamp !== undefined) return wait(seen, now, settings);
  const phase = status?.overallPhase;
  return phase === undefined ? decideNew(seen, now, settings) : PHASES[phase](seen, now, settings);
};
