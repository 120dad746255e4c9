import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import { after, instant, MINUTE, toTime } from '../../../base/index.ts';

type Spec = SignalProcessing['spec'];

/** Where a ManualClock starts. */
export const NOW = instant(1_794_711_600_000);
export const TIMES_OUT_AT = toTime(after(NOW, 5 * MINUTE));

export interface Options {
  readonly status?: SignalProcessing['status'];
  readonly signal?: Partial<Spec['signal']>;
  readonly timesOutAt?: string | undefined;
}

/** A signal about a Deployment, five minutes before its time is over. */
export function aSignalProcessing(options: Options = {}): SignalProcessing {
  const timesOutAt = 'timesOutAt' in options ? options.timesOutAt : TIMES_OUT_AT;
  return {
    apiVersion: apiVersionOf(SignalProcessing),
    kind: 'SignalProcessing',
    metadata: {
      name: 'sp-rr-1',
      namespace: 'sickbay-system',
      uid: 'uid-sp',
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: toTime(NOW),
    },
    spec: {
      remediationRequestRef: { name: 'rr-1' },
      signal: {
        fingerprint: 'b7'.repeat(32),
        name: 'KubePodCrashLooping',
        severity: 'Critical',
        type: 'alert',
        targetType: 'kubernetes',
        targetResource: { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' },
        receivedTime: toTime(NOW),
        labels: { alertname: 'KubePodCrashLooping' },
        annotations: { summary: 'restarts' },
        ...options.signal,
      },
      ...(timesOutAt !== undefined && { timesOutAt }),
    },
    ...(options.status && { status: options.status }),
  };
}
