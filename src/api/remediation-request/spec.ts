import { clusterID, fingerprint, signalName, targetType } from '../parts/signal.ts';
import { target } from '../parts/target.ts';
import { flag, immutable, localReference, object, optional, text, textMap, time } from '../schema/index.ts';

/** What was seen. Written once, by the gateway. */
export const remediationRequestSpec = object(
  'The signal, as it was received; immutable.',
  {
    signalFingerprint: fingerprint([immutable('signalFingerprint')]),
    signalName: signalName(),
    severity: text('Severity in the words of the source.', { min: 1, max: 50 }),
    signalType: text('Kind of signal; the gateway writes "alert".'),
    signalSource: optional(text('Adapter that received the signal, e.g. prometheus or kubernetes-events.', { max: 63 })),
    targetType: targetType(),
    targetResource: target('The resource that the signal is about.'),
    firingTime: time('When the signal began, according to its source.'),
    receivedTime: time('When the gateway received it.'),
    signalLabels: optional(textMap('Labels of the signal.')),
    signalAnnotations: optional(textMap('Annotations of the signal.')),
    providerData: optional(text('What else the source says, as JSON text.')),
    originalPayload: optional(text('The signal as it was received.')),
    clusterID: optional(clusterID()),
    dryRun: optional(flag('Whether to stop after the analysis, without approval, execution or assessment.')),
    undoOf: optional(localReference('The RemediationRequest whose change this one rolls back.')),
  },
  { rules: [immutable('spec')] },
);
