import type { Draft } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { given, isObject, PlatformError, silent, type Clock } from '../../base/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import { alertmanager, createGateway, kubernetesEvent } from '../../gateway/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { SignalJournal, type SignalRecord } from '../../store/index.ts';
import { readCatalogue, rehearsalClient, rehearsalView, rehearse, type RehearsalParts, type RehearsalView } from '../rehearsal/index.ts';

/** Which signals come in, and how the cluster is read. */
export interface SimulateQuestion {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  /** The parsed body of a webhook of Alertmanager, or an Event of Kubernetes. */
  readonly body: unknown;
  /** The workflows that come with the package. */
  readonly packaged: readonly Draft<RemediationWorkflow>[];
}

/** What would become of each signal, in their order. */
export interface Simulated {
  readonly catalogue: RehearsalView['catalogue'];
  readonly signals: readonly SimulatedSignal[];
}

/** The verdict of the gateway on one signal, and what would follow from it. */
export interface SimulatedSignal {
  readonly name?: string;
  readonly severity?: string;
  readonly verdict: SignalRecord['verdict'];
  readonly message: string;
  /** The object that the signal names. */
  readonly about?: SignalRecord['target'];
  /** The RemediationRequest that it would open, or that it belongs to. */
  readonly remediation?: { readonly name: string; readonly exists: boolean };
  /** The object that owns the one that the signal names in the end, and that would be changed; set where a request would be opened. */
  readonly target?: { readonly kind: string; readonly namespace?: string; readonly name: string };
  /** Set where a request would be opened. */
  readonly analysis?: Omit<RehearsalView, 'catalogue'>;
}

/** Lets the gateway receive signals, and takes what it would open as far as a plan. Reads only. */
export async function simulateSignals(question: SimulateQuestion): Promise<Simulated> {
  const { client: server, clock, settings, signal, packaged } = question;
  const client = rehearsalClient(server, { namespace: settings.namespace, clock });
  const records = await receive(question, client);
  const catalogue = await readCatalogue(client, settings.namespace, packaged);
  const parts: RehearsalParts = { client, clock, settings, catalogue, signal };
  const openers = openedBy(records);
  const signals: SimulatedSignal[] = [];
  for (const record of records) signals.push({ ...signalView(record, openers), ...(await followUp(record, parts)) });
  return { catalogue: { source: catalogue.source, workflows: catalogue.workflows.length, ...given({ note: catalogue.note }) }, signals };
}

/** With the gateway itself, on a client that writes nothing. */
async function receive({ body, clock, settings }: SimulateQuestion, client: RehearsalParts['client']): Promise<readonly SignalRecord[]> {
  const { namespace, executionNamespace, clusterID, gateway, routing } = settings;
  const journal = new SignalJournal();
  const receiving = createGateway({
    client,
    clock,
    log: silent,
    namespace,
    executionNamespace,
    clusterID,
    journal,
    chainIntervalMs: () => routing.ineffectiveTimeWindowMs,
    maxOpen: () => gateway.maxOpenRequests,
    maxOpenPerNamespace: () => gateway.maxOpenRequestsPerNamespace,
    maxAlerts: () => gateway.maxAlerts,
  });
  const reply = await receiving.receive(body, isEvent(body) ? kubernetesEvent : alertmanager);
  const records = journal.newestFirst().toReversed();
  if (records.length === 0)
    throw new PlatformError('BadRequest', `the gateway refuses the body: ${detailOf(reply.body)}`, { retry: 'never' });
  return records;
}

/** A webhook of Alertmanager has alerts; an Event has none. */
const isEvent = (body: unknown): boolean =>
  isObject(body) && body['alerts'] === undefined && ('involvedObject' in body || 'regarding' in body);

const detailOf = (body: unknown): string => (isObject(body) && typeof body['detail'] === 'string' ? body['detail'] : 'it holds no signal');

/** The requests that the signals would open, with the number of the signal that opens each. */
const openedBy = (records: readonly SignalRecord[]): ReadonlyMap<string, number> =>
  new Map(
    records.flatMap(({ verdict, remediation }, i) => (verdict === 'created' && remediation !== undefined ? [[remediation, i + 1]] : [])),
  );

function signalView(
  { name, severity, verdict, message, target, remediation }: SignalRecord,
  openers: ReadonlyMap<string, number>,
): SimulatedSignal {
  const opener = remediation === undefined ? undefined : openers.get(remediation);
  const known = remediation === undefined ? undefined : { name: remediation, exists: opener === undefined };
  return {
    ...given({ name, severity, about: target, remediation: known }),
    verdict,
    message: messageOf({ verdict, message, remediation, opener }),
  };
}

interface Said extends Pick<SignalRecord, 'verdict' | 'message'> {
  readonly remediation: string | undefined;
  /** The number of the signal that would open the request. */
  readonly opener: number | undefined;
}

/** The gateway speaks of what it wrote: of a request that exists only here, that would be misleading. */
function messageOf({ verdict, message, remediation = '', opener }: Said): string {
  if (opener === undefined) return message;
  return verdict === 'created'
    ? `opens RemediationRequest ${remediation}`
    : `joins RemediationRequest ${remediation}, which signal ${opener} opens`;
}

async function followUp(record: SignalRecord, parts: RehearsalParts): Promise<Pick<SimulatedSignal, 'target' | 'analysis'>> {
  if (record.verdict !== 'created') return {};
  const key = { namespace: parts.settings.namespace, name: record.remediation ?? '' };
  const request = parts.client.kept(RemediationRequest, key);
  if (!request) return {};
  const { catalogue: _, ...analysis } = rehearsalView(await rehearse(request, parts), parts.catalogue, parts.settings);
  const { kind, namespace, name } = request.spec.targetResource;
  return { target: { kind, name, ...given({ namespace }) }, analysis };
}
