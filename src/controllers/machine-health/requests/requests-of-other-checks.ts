import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { claimOf, type RequestKind } from './claim.ts';
import { fetchedRequest, type FetchedRequests, type RequestLookup } from './fetch-requests.ts';
import type { TargetObservation } from '../check/observe-check.ts';

/**
 * The targets with what other checks have on record about them. Whoever acts on a request may say so where the claim stands; the record is
 * written by checks alone. A Machine that is shared is looked at in every pass, so that none of this has to be remembered.
 */
export function withOtherRecords(
  targets: readonly TargetObservation[],
  { reader, namespace }: { readonly reader: Reader; readonly namespace: string },
): readonly TargetObservation[] {
  const records = new Map<string, Requests>();
  return targets.map((target) => {
    if (target.others.length === 0) return target;
    const { uid } = target.target.machine.metadata;
    const others = target.others.map((other) => {
      const record = records.get(other.name) ?? requestsOf(other.name, reader, namespace);
      records.set(other.name, record);
      const holds = record.get(uid);
      return holds ? { ...other, recordedRequest: holds } : other;
    });
    return others.some(({ recordedRequest: holds }) => holds) ? { ...target, others } : target;
  });
}

/** By UID of the Machine. */
type Requests = ReadonlyMap<string, RequestKind>;

function requestsOf(name: string, reader: Reader, namespace: string): Requests {
  const check = reader.get(MachineHealthCheck, { namespace, name });
  const record = check.kind === 'value' ? (check.value.status?.remediations ?? []) : [];
  return new Map(record.flatMap(({ uid, request }) => (request ? [[uid, request]] : [])));
}

/** Whether another check that is about the Machine has asked for it. What a check left behind that is no more is taken over. */
export function isClaimedByOtherCheck({ target, others, entry }: TargetObservation, check: string): boolean {
  const claim = claimOf(target.machine);
  if (claim) return claim.check !== check && others.some(({ name }) => name === claim.check);
  return !entry && others.some(({ recordedRequest: holds }) => holds);
}

/**
 * What may be open although the Machine does not say whose it is, where this check has it on record as well as another: two may have written it
 * down before one of them got the claim.
 */
export const lookupsOfOtherChecks = ({ target: { machine }, verdict, entry, others }: TargetObservation): readonly RequestLookup[] =>
  entry && verdict.kind === 'unhealthy' && !claimOf(machine)
    ? others.flatMap(({ recordedRequest: holds }) => (holds ? [{ name: machine.metadata.name, kind: holds, isFromFullList: false }] : []))
    : [];

/** Whether any of it is, or nobody can tell. */
export const mayBeOpenForOtherCheck = (target: TargetObservation, fetched: FetchedRequests): boolean =>
  lookupsOfOtherChecks(target).some((lookup) => fetchedRequest(fetched, lookup).kind !== 'absent');
