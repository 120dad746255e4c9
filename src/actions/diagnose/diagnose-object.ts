import type { Draft } from '../../api/meta.ts';
import { fingerprintOf, type Place } from '../../api/remediation-request/fingerprint.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { PlatformError, toTime, type Clock } from '../../base/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import { findTarget, metadataFetch, type Target } from '../../gateway/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { readCatalogue, rehearsalClient, rehearsalView, rehearse, type RehearsalView } from '../rehearsal/index.ts';
import { fetchNamed, type NamedObject } from './named-object.ts';

/** What is diagnosed, and how the cluster is read. */
export interface DiagnoseQuestion {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly object: NamedObject;
  /** The alert to diagnose it for: what is healthy is no proof against every alert. */
  readonly alert?: string;
  /** In the words of any source of signals. */
  readonly severity: string;
  /** The workflows that come with the package. */
  readonly packaged: readonly Draft<RemediationWorkflow>[];
}

/** What Sickbay makes of an object. */
export interface Diagnosed extends RehearsalView {
  /** The object that owns the one that was named in the end, and that would be changed. */
  readonly target: { readonly apiVersion: string; readonly kind: string; readonly namespace?: string; readonly name: string };
  /** The object that was named, where that is another one. */
  readonly named?: { readonly kind: string; readonly name: string };
}

/** The name of the request that is rehearsed. It is never written, and no request of the gateway has it. */
const NAME = 'diagnosis';

/** Diagnoses an object as if an alert about it had come in. Reads only. */
export async function diagnoseObject(question: DiagnoseQuestion): Promise<Diagnosed> {
  const { client: server, clock, settings, signal, object, packaged } = question;
  await fetchNamed(server, object);
  const client = rehearsalClient(server, { namespace: settings.namespace, clock });
  const found = await findTarget({ about: object }, metadataFetch(client));
  if (found.kind === 'unreadable') throw new PlatformError('Unavailable', `reading what owns it: ${found.reason}`, { retry: 'never' });
  const catalogue = await readCatalogue(client, settings.namespace, packaged);
  const request = client.keep(RemediationRequest, draft(found.value, question));
  const rehearsed = await rehearse(request, { client, clock, settings, catalogue, signal });
  const { kind, namespace, name, apiVersion } = found.value;
  const isOther = kind !== object.resource.kind || name !== object.key.name;
  return {
    target: { apiVersion, kind, ...(namespace !== '' && { namespace }), name },
    ...(isOther && { named: { kind: object.resource.kind, name: object.key.name } }),
    ...rehearsalView(rehearsed, catalogue, settings),
  };
}

function draft(target: Target, { alert = '', severity, clock, settings }: DiagnoseQuestion): Draft<RemediationRequest> {
  const { kind, name, namespace, apiVersion } = target;
  const now = toTime(clock.now());
  const place: Place = { kind, name, namespace };
  return {
    apiVersion: apiVersionOf(RemediationRequest),
    kind: RemediationRequest.kind,
    metadata: { name: NAME, namespace: settings.namespace },
    spec: {
      signalFingerprint: fingerprintOf(place, settings.clusterID),
      signalName: alert,
      severity,
      signalType: 'alert',
      signalSource: 'diagnose',
      targetType: 'kubernetes',
      targetResource: { kind, name, apiVersion, ...(namespace !== '' && { namespace }) },
      firingTime: now,
      receivedTime: now,
    },
  };
}
