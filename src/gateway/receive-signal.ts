import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { assertNever, hasCode, messageOf, type Clock, type Logger } from '../base/index.ts';
import { askList, type Fetch, type KubeClient, type Listed } from '../kube/index.ts';
import { scopeOf } from '../scope/index.ts';
import { calmed, counted, joined, opened } from './occurrences.ts';
import { draftRequest, type Opening } from './draft-request.ts';
import { failedNodeOf } from './failed-node.ts';
import { findTarget, type Target } from './find-target.ts';
import type { ActiveRequests } from './active-requests.ts';
import { fingerprintOf, placeText } from '../api/remediation-request/fingerprint.ts';
import type { OpenCount, OpenLimit } from './open-limit.ts';
import { recordOnce, recordSignal } from './record-signal.ts';
import type { Signal } from './signal.ts';
import { isActive } from '../api/remediation-request/is-active.ts';
import { activeOf, fingerprintStateOf } from '../api/remediation-request/fingerprint-state.ts';
import { suppressesOnlyJudged } from '../api/remediation-request/suppression.ts';
import { refused, unavailable, type RequestName, type SignalVerdict } from './signal-verdict.ts';

export interface ReceiveDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Namespace of the requests. */
  readonly namespace: string;
  readonly executionNamespace: string;
  /** Name of this cluster in alerts; empty when it has no name. */
  readonly clusterID: string;
  /** How long a request that an ineffective chain holds back blocks new ones. */
  readonly chainIntervalMs: () => number;
  readonly room: OpenLimit;
  /** Metadata of targets and of what they belong to. */
  readonly fetch: Fetch;
  readonly active: ActiveRequests;
}

/** Decides on one signal. What cannot be read defers it, and nothing is written: unreadable is never treated as absent. */
export async function receiveSignal(signal: Signal, deps: ReceiveDeps): Promise<SignalVerdict> {
  const elsewhere = aboutAnotherCluster(signal, deps);
  if (elsewhere) return elsewhere;
  const { fetch } = deps;
  const target = await findTarget(signal, fetch);
  if (target.kind === 'unreadable') return unavailable(`reading the target: ${target.reason}`);
  const fingerprint = fingerprintOf(target.value, deps.clusterID);
  if (signal.state === 'resolved') return noteResolved(signal, { target: target.value, fingerprint }, deps);
  const scope = await scopeOf(target.value, deps, fetch);
  switch (scope.kind) {
    case 'unreadable':
      return unavailable(`checking the scope: ${scope.reason}`);
    case 'out':
      return { verdict: 'out-of-scope', resource: placeText(target.value), message: scope.message };
    case 'in':
      if (isOutdated(target.value)) return { verdict: 'outdated', resource: placeText(target.value) };
      return openOrJoin({ signal, target: target.value, fingerprint, clusterID: deps.clusterID }, deps);
    default:
      return assertNever(scope);
  }
}

/** Equal names in two clusters are two resources: an alert about the other cluster must not change a resource of this one. */
function aboutAnotherCluster({ clusterID, about: { resource, key } }: Signal, deps: ReceiveDeps): SignalVerdict | undefined {
  if (clusterID === '' || clusterID === deps.clusterID) return undefined;
  const ours = deps.clusterID === '' ? 'this one has no name: give it one with --cluster-name' : `this one is ${deps.clusterID}`;
  const message = `the alert is about the cluster ${clusterID}, and ${ours}`;
  return { verdict: 'out-of-scope', resource: placeText({ kind: resource.kind, ...key }), message };
}

/** What controllers create and delete all the time: under load or after a fix, alerts about it outlive it by minutes. */
const PASSING: readonly string[] = ['Pod', 'ReplicaSet', 'Job'];

const isOutdated = ({ kind, object }: Target): boolean => object === undefined && PASSING.includes(kind);

async function noteResolved(
  signal: Signal,
  { target, fingerprint }: Pick<Opening, 'target' | 'fingerprint'>,
  deps: ReceiveDeps,
): Promise<SignalVerdict> {
  // A deleted resource has no owner to find the request by: the alert that the request has recorded identifies it.
  const listed = isOutdated(target) ? await requestsNaming(signal, deps) : await requestsOf(fingerprint, deps);
  if (listed.kind === 'unreadable') return unavailable(`reading earlier requests: ${listed.reason}`);
  const active = activeOf(listed.value);
  if (!active) return { verdict: 'resolved', fingerprint, request: undefined };
  const noted = await recordSignal(deps, active, { signal, change: calmed });
  // Alertmanager sends a resolution once: the answer makes it repeat the webhook until the resolution is recorded.
  if (!noted) return unavailable(`recording on ${active.metadata.name} that the alert is resolved`);
  return { verdict: 'resolved', fingerprint, request: nameOf(active) };
}

/** How often to read again when another gateway was faster. */
const ATTEMPTS = 3;

async function openOrJoin(opening: Opening, deps: ReceiveDeps): Promise<SignalVerdict> {
  const repeat = await joinKnown(opening, deps);
  if (repeat) return repeat;
  for (let left = ATTEMPTS; left > 0; left--) {
    const listed = await requestsOf(opening.fingerprint, deps);
    if (listed.kind === 'unreadable') return unavailable(`reading earlier requests: ${listed.reason}`);
    const verdict = await judge(opening, listed.value, deps);
    if (verdict) return verdict;
  }
  return unavailable(`opening a request for ${placeText(opening.target)}: another request was created first, ${ATTEMPTS} times in a row`);
}

/**
 * Joins the request that is known to be active, without a read: the write names its version, so that it succeeds only when the request is
 * still the one that is known. Undefined when none is known, or when it has changed.
 */
async function joinKnown({ fingerprint, signal, consequence }: Opening, deps: ReceiveDeps): Promise<SignalVerdict | undefined> {
  const request = deps.active.of(fingerprint);
  if (!request || !isActive(request, deps.clock.now(), deps.chainIntervalMs())) return undefined;
  const written = await recordOnce(deps, request, { signal, change: changeBy(consequence) });
  if (!written) return undefined;
  deps.active.remember(fingerprint, written);
  return { verdict: 'duplicate', fingerprint, request: nameOf(request), seen: written.status?.deduplication ?? {} };
}

const changeBy = (consequence: string | undefined) => (consequence === undefined ? joined : counted);

/**
 * The same signal for the Node whose failure caused it: a workload that only waits for its Node gets no request of its own. Undefined where
 * no Node did, or the Node is not to be remediated.
 */
async function causedByNode({ signal, target, clusterID }: Opening, deps: ReceiveDeps): Promise<Opening | undefined> {
  const node = await failedNodeOf(target, deps.client);
  if (!node || (await scopeOf(node, deps, deps.fetch)).kind !== 'in') return undefined;
  return { signal, target: node, fingerprint: fingerprintOf(node, clusterID), clusterID, consequence: placeText(target) };
}

/** Undefined when the list is stale and has to be read again. */
async function judge(opening: Opening, requests: readonly RemediationRequest[], deps: ReceiveDeps): Promise<SignalVerdict | undefined> {
  const { fingerprint } = opening;
  const state = fingerprintStateOf(fingerprint, requests, {
    now: deps.clock.now(),
    chainIntervalMs: deps.chainIntervalMs(),
    signal: opening.signal,
    target: opening.target.object?.metadata,
  });
  if (state.kind === 'free') {
    const cause = await causedByNode(opening, deps);
    return cause ? openOrJoin(cause, deps) : open(opening, state.name, deps);
  }
  const { request } = state;
  const seen = await countOn(request, opening, deps);
  if (state.kind === 'active') return { verdict: 'duplicate', fingerprint, request: nameOf(request), seen };
  const { until, refusedBy } = state;
  if (refusedBy !== undefined)
    return { verdict: 'duplicate', fingerprint, request: nameOf(request), seen, refused: { by: refusedBy, until } };
  const { outcome } = request.status ?? {};
  const judged = suppressesOnlyJudged(request) && outcome !== undefined && { judged: outcome };
  return { verdict: 'suppressed', fingerprint, request: nameOf(request), seen, until, ...judged };
}

async function countOn(request: RemediationRequest, { signal, consequence }: Opening, deps: ReceiveDeps) {
  const written = await recordSignal(deps, request, { signal, change: changeBy(consequence) });
  if (written) deps.active.remember(request.spec.signalFingerprint, written);
  return (written ?? request).status?.deduplication ?? {};
}

async function open(opening: Opening, name: string, deps: ReceiveDeps): Promise<SignalVerdict | undefined> {
  const { client, clock, namespace, room } = deps;
  const about = opening.target.namespace;
  const count = await room.open(about);
  if (count.kind === 'unreadable') return unavailable(`counting open requests: ${count.reason}`);
  const full = tooMany(room, count.value, about);
  if (full) return full;
  const draft = draftRequest(opening, { namespace, name }, clock.now());
  try {
    const created = await client.create(RemediationRequest, draft);
    room.opened(about);
    const recorded = await recordSignal(deps, created, { signal: opening.signal, change: opened });
    deps.active.remember(opening.fingerprint, recorded ?? created);
    return { verdict: 'created', fingerprint: opening.fingerprint, request: { namespace, name } };
  } catch (error) {
    return whyNotCreated(error, name, opening.signal.name);
  }
}

function whyNotCreated(error: unknown, name: string, signal: string): SignalVerdict | undefined {
  if (hasCode(error, 'AlreadyExists')) return undefined;
  const message = `creating RemediationRequest ${name}: ${messageOf(error)}`;
  return hasCode(error, 'Invalid') || hasCode(error, 'BadRequest') ? refused(message, signal) : unavailable(message);
}

function tooMany({ limit, share }: OpenLimit, { all, here }: OpenCount, about: string): SignalVerdict | undefined {
  const what =
    all >= limit ? `${limit} RemediationRequests are` : here >= share ? `${share} RemediationRequests about ${about} are` : undefined;
  if (what === undefined) return undefined;
  const message = `${what} already open: find out what keeps them open, or which alert fires everywhere`;
  return { verdict: 'put-off', because: 'too-many-open', message };
}

const requestsOf = (fingerprint: string, { client, namespace }: ReceiveDeps): Promise<Listed<RemediationRequest>> =>
  askList(client, RemediationRequest, { namespace, fieldSelector: `spec.signalFingerprint=${fingerprint}` });

async function requestsNaming({ name, instance }: Signal, { client, namespace }: ReceiveDeps): Promise<Listed<RemediationRequest>> {
  const listed = await askList(client, RemediationRequest, { namespace });
  if (listed.kind === 'unreadable') return listed;
  const names = ({ status }: RemediationRequest): boolean =>
    status?.deduplication?.alerts?.some((alert) => alert.name === name && alert.instance === instance) ?? false;
  return { kind: 'value', value: listed.value.filter(names) };
}

const nameOf = ({ metadata }: RemediationRequest): RequestName => ({ namespace: metadata.namespace ?? '', name: metadata.name });
