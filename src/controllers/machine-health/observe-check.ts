import { Cluster } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import type { TemplateReference } from '../../api/machine-health-check/normalise.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyOf, type KubeObject, type ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import type { Instant } from '../../base/index.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { Read, Reader } from '../../runtime/controller.ts';
import { requestResource, templateResource, type RemediationTemplate } from './external-request.ts';
import { targetOf, type Judge, type Judged } from './judge.ts';
import { isAbout, readScope, type CheckRead, type ReadCheck } from './read-check.ts';
import { pausesUs, whoseCheck, type Definitions } from './whose-check.ts';

/** A Machine that a check is about. */
export interface TargetSeen extends Judged {
  /** The other checks that are about it too, and whether their gates let it be remediated. */
  readonly others: readonly { readonly name: string; readonly allows: boolean }[];
  /** The request that is open for it; not looked for where there can be none. */
  readonly request?: Read<KubeObject>;
}

/** What a check in external mode hands out. */
export interface TemplateSeen {
  readonly reference: TemplateReference;
  readonly requests: Resource | undefined;
  /** Looked for only when somebody needs it. */
  readonly template: Read<RemediationTemplate> | undefined;
}

/** All that a decision about a check rests on. */
export interface CheckSeen {
  readonly object: MachineHealthCheck;
  readonly read: CheckRead;
  readonly pausedBy: readonly string[];
  /** In the order of their names. */
  readonly targets: readonly TargetSeen[];
  /** Why the targets are not known; undefined when they are. */
  readonly blind?: string;
  readonly external?: TemplateSeen;
}

export interface How {
  readonly judge: Judge;
  readonly now: Instant;
  readonly annotationRemediates: boolean;
  /** Ours when absent. */
  readonly definitions?: Definitions;
}

export async function observeCheck(key: ObjectKey, reader: Reader, how: How): Promise<CheckSeen | undefined> {
  const found = reader.get(MachineHealthCheck, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const read = how.judge.read(object);
  const { definitions = 'sickbay' } = how;
  const pausedBy = whoPaused(object, reader, definitions);
  if (read.kind === 'invalid' || pausedBy.length > 0) return { object, read, pausedBy, targets: [] };
  const machines = reader.list(Machine);
  if (machines.kind === 'unreadable') return { object, read, pausedBy, targets: [], blind: `Machines cannot be read: ${machines.reason}` };
  const others = otherChecks(read, reader, { judge: how.judge, definitions });
  const targets = machines.value
    .filter((machine) => isAbout(read, machine))
    .map((machine) => ({ ...how.judge.judge(read, targetOf(machine, reader), how), others: othersAbout(machine, others) }));
  // What somebody else hands out is not looked at.
  if (!read.check.template || whoseCheck(object, definitions) !== 'ours') return { object, read, pausedBy, targets };
  return { object, read, pausedBy, ...(await withRequests(targets, read.check.template, { reader, namespace: read.namespace })) };
}

/** Whoever paused the check or its cluster, in words. */
export function whoPaused(check: MachineHealthCheck, reader: Reader, definitions: Definitions): readonly string[] {
  const { metadata, spec } = check;
  const own = pausesUs(check, definitions) ? [`the annotation ${ANNOTATIONS.paused} is set`] : [];
  const cluster =
    spec.clusterName === undefined ? undefined : reader.get(Cluster, { namespace: metadata.namespace ?? '', name: spec.clusterName });
  const isPaused = cluster?.kind === 'value' && cluster.value.spec?.paused === true;
  return isPaused ? [...own, `Cluster ${cluster.value.metadata.name} is paused`] : own;
}

interface Other {
  readonly check: ReadCheck;
  readonly allows: boolean;
}

function otherChecks(
  own: ReadCheck,
  reader: Reader,
  { judge, definitions }: { readonly judge: Judge; readonly definitions: Definitions },
): readonly Other[] {
  const listed = reader.list(MachineHealthCheck);
  const checks = listed.kind === 'value' ? listed.value : [];
  return checks.flatMap((object) => {
    if (object.metadata.namespace !== own.namespace || object.metadata.name === own.name) return [];
    const isOurs = whoseCheck(object, definitions) === 'ours';
    const check = isOurs ? judge.read(object) : readScope(object);
    return check.kind === 'invalid' ? [] : [{ check, allows: isOurs && letsRemediate(object) }];
  });
}

/** What a check said about an older spec of its own does not count, and one that has not spoken yet lets nothing through. */
const letsRemediate = ({ metadata, status }: MachineHealthCheck): boolean =>
  status?.observedGeneration === metadata.generation && isTrue(status?.conditions as Parameters<typeof isTrue>[0], 'RemediationAllowed');

const othersAbout = (machine: Machine, others: readonly Other[]): TargetSeen['others'] =>
  others.filter(({ check }) => isAbout(check, machine)).map(({ check: { name }, allows }) => ({ name, allows }));

/** Requests are looked for where one is wanted, or may still be open; the template where one is to be made. */
async function withRequests(
  targets: readonly TargetSeen[],
  reference: TemplateReference,
  { reader, namespace }: { readonly reader: Reader; readonly namespace: string },
): Promise<Pick<CheckSeen, 'targets' | 'external'>> {
  const requests = requestResource(reference);
  if (!requests) return { targets, external: { reference, requests, template: undefined } };
  const seen = await Promise.all(
    targets.map(async (target) =>
      mayHaveRequest(target) ? { ...target, request: await reader.fetch(requests, keyOf(target.target.machine)) } : target,
    ),
  );
  const isWanted = seen.some(({ verdict, request }) => verdict.kind === 'unhealthy' && request?.kind === 'absent');
  const template = isWanted ? await reader.fetch(templateResource(reference), { namespace, name: reference.name }) : undefined;
  return { targets: seen, external: { reference, requests, template } };
}

/** A Machine that is well has none, unless something on it says that one was asked for. */
const mayHaveRequest = ({ verdict, target: { machine } }: TargetSeen): boolean =>
  verdict.kind === 'unhealthy' ||
  (verdict.kind === 'healthy' && (machine.status?.conditions ?? []).some(({ type }) => type === 'ExternallyRemediated'));
