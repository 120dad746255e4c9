import { MINUTE, parseDuration, SECOND } from '../../base/index.ts';
import type { LabelSelector } from '../meta.ts';
import { atLeast, type Gate, type Limit } from './unhealthy-limit.ts';
import type { MachineHealthCheck } from './machine-health-check.ts';
import { readSafeguards, type Safeguards } from './safeguards.ts';
import { MHC_VERSIONS, type MhcVersion } from './spec.ts';

/** A MachineHealthCheck without its spellings: what every reader works with. */
export interface NormalisedHealthCheck {
  /** Version whose meaning counts. */
  readonly writtenAs: MhcVersion;
  /** Absent in the v1alpha3 form: then each Machine's own cluster is meant. */
  readonly clusterName: string | undefined;
  readonly selector: LabelSelector;
  readonly nodeConditions: readonly LastingCondition[];
  readonly machineConditions: readonly LastingCondition[];
  /** How long a Machine may go without a Node; undefined when that is not checked. */
  readonly nodeStartupTimeoutMs: number | undefined;
  /** How long after its Node vanished a Machine, which counts as unhealthy at once, is left alone. */
  readonly missingNodeGraceMs: number;
  readonly gate: Gate;
  /** Absent: the owner of the Machine remediates. */
  readonly template: TemplateReference | undefined;
  readonly safeguards: Safeguards;
}

export interface LastingCondition {
  readonly type: string;
  readonly status: string;
  readonly timeoutMs: number;
}

export interface TemplateReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** A value that no check can be made of. Our CRD refuses them; Cluster API's own lets some pass. */
export interface Problem {
  readonly field: string;
  readonly message: string;
}

export type Normalised =
  { readonly kind: 'valid'; readonly check: NormalisedHealthCheck } | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

type Spec = MachineHealthCheck['spec'];
type Report = (field: string, message: string) => void;

const DEFAULT_STARTUP_MS = 10 * MINUTE;
const MISSING_NODE_GRACE_MS = 5 * MINUTE;
const MAX_INT32 = 2 ** 31 - 1;

/** Reads a check in whichever spelling it was written. Never throws: what cannot be read is reported by field. */
export function normalise(object: MachineHealthCheck): Normalised {
  const problems: Problem[] = [];
  const report: Report = (field, message) => problems.push({ field, message });
  const { spec } = object;
  const writtenAs = versionOf(object);
  const check: NormalisedHealthCheck = {
    writtenAs,
    clusterName: spec.clusterName,
    selector: spec.selector,
    nodeConditions: conditionsOf(spec, { old: 'unhealthyConditions', now: 'unhealthyNodeConditions' }, report),
    machineConditions: conditionsOf(spec, { old: 'unhealthyMachineConditions', now: 'unhealthyMachineConditions' }, report),
    nodeStartupTimeoutMs: startupOf(spec, report),
    missingNodeGraceMs: writtenAs === 'v1alpha3' ? MISSING_NODE_GRACE_MS : 0,
    gate: atLeast(gateOf(spec, writtenAs, report), spec.safeguards?.minUnhealthyAllowed),
    template: templateOf(object, report),
    safeguards: readSafeguards(spec.safeguards, report),
  };
  return problems.length === 0 ? { kind: 'valid', check } : { kind: 'invalid', problems };
}

/** Objects under Cluster API's own CRD carry no `writtenAs`; they mean what the version they are served in means. */
function versionOf({ spec, apiVersion }: MachineHealthCheck): MhcVersion {
  const served = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return spec.writtenAs ?? MHC_VERSIONS.find((version) => version === served) ?? 'v1beta2';
}

function conditionsOf(
  spec: Spec,
  names: {
    readonly old: 'unhealthyConditions' | 'unhealthyMachineConditions';
    readonly now: 'unhealthyNodeConditions' | 'unhealthyMachineConditions';
  },
  report: Report,
): readonly LastingCondition[] {
  const now = spec.checks?.[names.now];
  if (now) return now.map(({ type, status, timeoutSeconds }) => ({ type, status, timeoutMs: timeoutSeconds * SECOND }));
  return (spec[names.old] ?? []).map(({ type, status, timeout }, i) => ({
    type,
    status,
    timeoutMs: millisecondsOf(timeout, `spec.${names.old}[${i}].timeout`, report),
  }));
}

function startupOf(spec: Spec, report: Report): number | undefined {
  const seconds = spec.checks?.nodeStartupTimeoutSeconds;
  const ms = seconds === undefined ? startupText(spec, report) : seconds * SECOND;
  return ms === 0 ? undefined : ms;
}

const startupText = (spec: Spec, report: Report): number =>
  spec.nodeStartupTimeout === undefined ? DEFAULT_STARTUP_MS : millisecondsOf(spec.nodeStartupTimeout, 'spec.nodeStartupTimeout', report);

function millisecondsOf(text: string, field: string, report: Report): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 0) return ms;
  report(field, `"${text}" is not a duration such as 5m`);
  return 0;
}

/** A range wins over a limit; without either everything may be remediated. Only `maxUnhealthy` means different things in different versions. */
function gateOf(spec: Spec, writtenAs: MhcVersion, report: Report): Gate {
  const trigger = spec.remediation?.triggerIf;
  if (trigger?.unhealthyInRange !== undefined)
    return rangeOf(trigger.unhealthyInRange, 'spec.remediation.triggerIf.unhealthyInRange', report);
  if (spec.unhealthyRange !== undefined) return rangeOf(spec.unhealthyRange, 'spec.unhealthyRange', report);
  if (trigger?.unhealthyLessThanOrEqualTo !== undefined) {
    return {
      kind: 'atMost',
      limit: limitOf(trigger.unhealthyLessThanOrEqualTo, 'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo', report),
    };
  }
  if (spec.maxUnhealthy === undefined) return { kind: 'atMost', limit: { unit: 'percent', percent: 100 } };
  return { kind: writtenAs === 'v1alpha3' ? 'below' : 'atMost', limit: limitOf(spec.maxUnhealthy, 'spec.maxUnhealthy', report) };
}

function limitOf(value: number | string, field: string, report: Report): Limit {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return { unit: 'machines', count: value };
  const percent = /^(\d{1,3})%$/.exec(String(value))?.[1];
  if (percent !== undefined && Number(percent) <= 100) return { unit: 'percent', percent: Number(percent) };
  report(field, `${JSON.stringify(value)} is neither a number from 0 nor a share from 0% to 100%`);
  return { unit: 'machines', count: 0 };
}

function rangeOf(text: string, field: string, report: Report): Gate {
  const [, from, to] = /^\[(\d+)-(\d+)\]$/.exec(text) ?? [];
  const range: Gate = { kind: 'range', min: Number(from), max: Number(to) };
  if (!(range.min <= range.max && range.max <= MAX_INT32)) report(field, `"${text}" is not a range such as [1-3]`);
  return range;
}

function templateOf({ spec, metadata }: MachineHealthCheck, report: Report): TemplateReference | undefined {
  const [field, reference] = spellingOf(spec);
  if (reference === undefined) return undefined;
  const { apiVersion, kind, name, namespace = '' } = reference;
  if (namespace !== '' && namespace !== metadata.namespace) {
    report(`spec.${field}.namespace`, `the template must be in the namespace of the check, not in ${namespace}`);
  }
  return { apiVersion, kind, name };
}

/** The field in which a check names its template. */
export const templateField = ({ spec }: MachineHealthCheck): string => `spec.${spellingOf(spec)[0]}`;

type Reference = TemplateReference & { readonly namespace?: string };

function spellingOf(spec: Spec): readonly [string, Reference | undefined] {
  if (spec.remediation?.templateRef) return ['remediation.templateRef', spec.remediation.templateRef];
  if (spec.remediationTemplate) return ['remediationTemplate', spec.remediationTemplate];
  return ['externalRemediationTemplate', spec.externalRemediationTemplate];
}
