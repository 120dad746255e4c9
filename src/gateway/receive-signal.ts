import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { assertNever, hasCode, messageOf, type Clock, type Logger } from '../base/index.ts';
import { askList, type KubeClient, type Listed } from '../kube/index.ts';
import { scopeOf } from '../scope/index.ts';
import { calmed, joined, opened } from './deduplication.ts';
import { draftRequest, type Opening } from './draft-request.ts';
import { findTarget, metadataFetch, type Target } from './find-target.ts';
import { fingerprintOf, placeText } from '../api/remediation-request/fingerprint.ts';
import type { OpenLimit } from './open-limit.ts';
import { recordSignal } from './record-signal.ts';
import type { Signal } from './signal.ts';
import { activeOf, standingOf } from '../api/remediation-request/fingerprint-state.ts';
import { rejected, unavailable, type RequestName, type Verdict } from './signal-verdict.ts';

export interface Intake {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where requests live. */
  readonly namespace: string;
  readonly executionNamespace: string;
  /** What alerts call this cluster; empty when it has no name. */
  readonly clusterID: string;
  /** How long a request that an ineffective chain holds back stands in the way of new ones. */
  readonly chainIntervalMs: () => number;
  readonly room: OpenLimit;
}

/** Brings one signal to its verdict. What cannot be read puts it off, with nothing written: it is never taken for absent. */
export async function takeIn(signal: Signal, intake: Intake): Promise<Verdict> {
  const elsewhere = aboutAnotherCluster(signal, intake);
  if (elsewhere) return elsewhere;
  const fetch = metadataFetch(intake.client);
  const target = await findTarget(signal, fetch);
  if (target.kind === 'unreadable') return unavailable(`reading the target: ${target.reason}`);
  const fingerprint = fingerprintOf(target.value, intake.clusterID);
  if (signal.state === 'resolved') return noteResolved(signal, { target: target.value, fingerprint }, intake);
  const scope = await scopeOf(target.value, intake, fetch);
  switch (scope.kind) {
    case 'unreadable':
      return unavailable(`checking the scope: ${scope.reason}`);
    case 'out':
      return { verdict: 'out-of-scope', resource: placeText(target.value), message: scope.message };
    case 'in':
      if (isOutdated(target.value)) return { verdict: 'outdated', resource: placeText(target.value) };
      return openOrJoin({ signal, target: target.value, fingerprint, clusterID: intake.clusterID }, intake);
    default:
      return assertNever(scope);
  }
}

/** Equal names in two clusters are two things: what is said of the other one's must not be done to ours. */
function aboutAnotherCluster({ clusterID, candidates: [{ resource, key }] }: Signal, intake: Intake): Verdict | undefined {
  if (clusterID === '' || clusterID === intake.clusterID) return undefined;
  const ours = intake.clusterID === '' ? 'this one has no name: give it one with --cluster-name' : `this one is ${intake.clusterID}`;
  const message = `the alert is about the cluster ${clusterID}, and ${ours}`;
  return { verdict: 'out-of-scope', resource: placeText({ kind: resource.kind, ...key }), message };
}

/** What others make and remove as they like: under load or after a fix such alerts outlive what they are about by minutes. */
const PASSING: readonly string[] = ['Pod', 'ReplicaSet', 'Job'];

const isOutdated = ({ kind, object }: Target): boolean => object === undefined && PASSING.includes(kind);

async function noteResolved(
  signal: Signal,
  { target, fingerprint }: Pick<Opening, 'target' | 'fingerprint'>,
  intake: Intake,
): Promise<Verdict> {
  // What is gone names no owner any more: the request is then known by the alert that it has on record.
  const listed = isOutdated(target) ? await requestsNaming(signal, intake) : await requestsOf(fingerprint, intake);
  if (listed.kind === 'unreadable') return unavailable(`reading earlier requests: ${listed.reason}`);
  const active = activeOf(listed.value);
  if (!active) return { verdict: 'resolved', fingerprint, request: undefined };
  const noted = await recordSignal(intake, active, { signal, change: calmed });
  // Said once and not again: the source has to repeat it until it is on record.
  if (!noted) return unavailable(`noting on ${active.metadata.name} that the alert is resolved`);
  return { verdict: 'resolved', fingerprint, request: nameOf(active) };
}

/** How often to look again when somebody else was faster. */
const ATTEMPTS = 3;

async function openOrJoin(opening: Opening, intake: Intake): Promise<Verdict> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const listed = await requestsOf(opening.fingerprint, intake);
    if (listed.kind === 'unreadable') return unavailable(`reading earlier requests: ${listed.reason}`);
    const verdict = await judge(opening, listed.value, intake);
    if (verdict) return verdict;
  }
  return unavailable(`opening a request for ${placeText(opening.target)}: others were faster ${ATTEMPTS} times`);
}

/** Undefined when the list was overtaken and has to be read again. */
async function judge(opening: Opening, requests: readonly RemediationRequest[], intake: Intake): Promise<Verdict | undefined> {
  const { fingerprint } = opening;
  const standing = standingOf(fingerprint, requests, { now: intake.clock.now(), chainIntervalMs: intake.chainIntervalMs() });
  if (standing.kind === 'free') return open(opening, standing.name, intake);
  const { request } = standing;
  const seen = await countOn(request, opening.signal, intake);
  if (standing.kind === 'active') return { verdict: 'duplicate', fingerprint, request: nameOf(request), seen };
  return { verdict: 'suppressed', fingerprint, request: nameOf(request), seen, until: standing.until };
}

async function countOn(request: RemediationRequest, signal: Signal, intake: Intake) {
  return (await recordSignal(intake, request, { signal, change: joined })) ?? request.status?.deduplication ?? {};
}

async function open(opening: Opening, name: string, intake: Intake): Promise<Verdict | undefined> {
  const { client, clock, namespace, room } = intake;
  const count = await room.open();
  if (count.kind === 'unreadable') return unavailable(`counting open requests: ${count.reason}`);
  if (count.value >= room.limit) return tooMany(room.limit);
  const draft = draftRequest(opening, { namespace, name }, clock.now());
  try {
    const created = await client.create(RemediationRequest, draft);
    room.opened();
    await recordSignal(intake, created, { signal: opening.signal, change: opened });
    return { verdict: 'created', fingerprint: opening.fingerprint, request: { namespace, name } };
  } catch (error) {
    return whyNotCreated(error, name);
  }
}

function whyNotCreated(error: unknown, name: string): Verdict | undefined {
  if (hasCode(error, 'AlreadyExists')) return undefined;
  const message = `creating RemediationRequest ${name}: ${messageOf(error)}`;
  return hasCode(error, 'Invalid') || hasCode(error, 'BadRequest') ? rejected(message) : unavailable(message);
}

const tooMany = (limit: number): Verdict => ({
  verdict: 'put-off',
  because: 'too-many-open',
  message: `${limit} RemediationRequests are open already: look for what keeps them, or for an alert that fires everywhere`,
});

const requestsOf = (fingerprint: string, { client, namespace }: Intake): Promise<Listed<RemediationRequest>> =>
  askList(client, RemediationRequest, { namespace, fieldSelector: `spec.signalFingerprint=${fingerprint}` });

async function requestsNaming({ name, instance }: Signal, { client, namespace }: Intake): Promise<Listed<RemediationRequest>> {
  const listed = await askList(client, RemediationRequest, { namespace });
  if (listed.kind === 'unreadable') return listed;
  const names = ({ status }: RemediationRequest): boolean =>
    status?.deduplication?.alerts?.some((alert) => alert.name === name && alert.instance === instance) ?? false;
  return { kind: 'value', value: listed.value.filter(names) };
}

const nameOf = ({ metadata }: RemediationRequest): RequestName => ({ namespace: metadata.namespace ?? '', name: metadata.name });
