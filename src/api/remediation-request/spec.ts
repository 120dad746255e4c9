import { clusterID, fingerprint, signalName, targetType } from '../parts/signal.ts';
import { target } from '../parts/target.ts';
import { flag, immutable, localReference, object, optional, text, textMap, time } from '../schema/index.ts';

/** What was seen. Written once, by the gateway. */
export const remediationRequestSpec = object(
  'The signal, as it came in; never changed afterwards.',
  {
    signalFingerprint: fingerprint([immutable('signalFingerprint')]),
    signalName: signalName(),
    severity: text('Severity in the words of the source.', { min: 1, max: 50 }),
    signalType: text('Kind of signal; the gateway writes "alert".'),
    signalSource: optional(text('Adapter that took the signal in, e.g. prometheus or kubernetes-events.', { max: 63 })),
    targetType: targetType(),
    targetResource: target('The resource that the signal is about.'),
    firingTime: time('When the source says that it began.'),
    receivedTime: time('When the gateway took it in.'),
    signalLabels: optional(textMap('Labels of the signal.')),
    signalAnnotations: optional(textMap('Annotations of the signal.')),
    providerData: optional(text('What else the source says, as JSON text.')),
    originalPayload: optional(text('The signal as it was received.')),
    clusterID: optional(clusterID()),
    dryRun: optional(flag('Whether to stop after the analysis, without approval, execution or assessment.')),
    undoOf: optional(localReference('The RemediationRequest whose change this one takes back.')),
  },
  { rules: [immutable('spec')] },
);
