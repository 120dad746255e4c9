import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { claimOf, type RequestKind } from './claim.ts';
import { fetchedRequest, type FetchedRequests, type RequestLookup } from './fetch-requests.ts';
import type { TargetObservation } from '../check/observe-check.ts';

/**
 * The targets with the requests that other checks recorded. A remediator may overwrite the claim, but only checks write records. Shared
 * Machines are evaluated in every pass, so none of this is remembered.
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

/** Whether another existing check that selects the Machine has requested remediation. The claim of a deleted check may be taken over. */
export function isClaimedByOtherCheck({ target, others, entry }: TargetObservation, check: string): boolean {
  const claim = claimOf(target.machine);
  if (claim) return claim.check !== check && others.some(({ name }) => name === claim.check);
  return !entry && others.some(({ recordedRequest: holds }) => holds);
}

/**
 * Requests of other checks that may be open although the Machine has no claim, where this check recorded it too: both may have recorded it
 * before one of them wrote the claim.
 */
export const lookupsOfOtherChecks = ({ target: { machine }, verdict, entry, others }: TargetObservation): readonly RequestLookup[] =>
  entry && verdict.kind === 'unhealthy' && !claimOf(machine)
    ? others.flatMap(({ recordedRequest: holds }) => (holds ? [{ name: machine.metadata.name, kind: holds, isFromFullList: false }] : []))
    : [];

/** Whether any of them is open, and whether any may be because it cannot be read. */
export function requestsOfOtherChecks(
  target: TargetObservation,
  fetched: FetchedRequests,
): Pick<TargetObservation, 'otherRequestMayBeOpen' | 'isOpenForOtherCheck'> {
  const kinds = lookupsOfOtherChecks(target).map((lookup) => fetchedRequest(fetched, lookup).kind);
  return {
    ...(kinds.some((kind) => kind !== 'absent') && { otherRequestMayBeOpen: true }),
    ...(kinds.includes('value') && { isOpenForOtherCheck: true }),
  };
}
