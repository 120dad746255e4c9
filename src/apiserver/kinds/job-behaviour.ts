import { isObject, type JsonObject } from '../../base/index.ts';
import type { FieldError } from '../field-error.ts';
import { embeddedLabelErrors } from '../metadata/validate-metadata.ts';
import type { Work } from '../object.ts';
import type { BuiltinBehaviour } from './builtin-kind.ts';
import type { ValidationContext } from './kind.ts';

/** Behaviour of Jobs beyond the table. */
export const JOB_BEHAVIOUR: BuiltinBehaviour = { complete, prepareCreate, validate };

/** A Job selects its pods by a unique label, unless it has a selector of its own (`manualSelector`). */
function prepareCreate(object: Work): void {
  const { spec, metadata } = object;
  if (!isObject(spec) || spec.manualSelector === true) return;
  const uid = metadata.uid ?? '';
  const labels = { [JOB_UID]: uid, 'controller-uid': uid, 'batch.kubernetes.io/job-name': metadata.name, 'job-name': metadata.name };
  const template = isObject(spec.template) ? spec.template : {};
  const inner = isObject(template.metadata) ? template.metadata : {};
  const all = { ...(inner.labels as object | undefined), ...labels } as Record<string, string>;
  object.spec = { ...spec, selector: { matchLabels: { [JOB_UID]: uid } }, template: { ...template, metadata: { ...inner, labels: all } } };
  if (metadata.labels === undefined || metadata.labels === inner.labels) metadata.labels = all;
}

const JOB_UID = 'batch.kubernetes.io/controller-uid';
const POD_LABELS: ReadonlySet<string> = new Set([JOB_UID, 'controller-uid', 'batch.kubernetes.io/job-name', 'job-name']);

/** Defaults of Jobs, which the templates of CronJobs do not get. */
function complete(object: Work): void {
  const { spec } = object;
  if (!isObject(spec)) return;
  labelAsPods(object, spec);
  const counts = spec.completions === undefined && spec.parallelism === undefined ? { completions: 1 } : {};
  const usual = { backoffLimit: 6, completionMode: 'NonIndexed', manualSelector: false, suspend: false };
  const podReplacementPolicy = spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  object.spec = { parallelism: 1, podReplacementPolicy, ...usual, ...counts, ...spec };
}

/** A Job without labels gets those of its pod template, with the generated ones. */
function labelAsPods({ metadata }: Work, { template }: JsonObject): void {
  const { labels } = isObject(template) && isObject(template.metadata) ? template.metadata : {};
  const isFree = Object.keys(metadata.labels ?? {}).length === 0;
  if (isFree && isObject(labels) && Object.keys(labels).length > 0) metadata.labels = labels as Record<string, string>;
}

/** Errors in labels that come from the pod template are reported for the template. */
function validate({ metadata: { labels = {} }, spec }: Work, { metadata, old }: ValidationContext): readonly FieldError[] {
  if (old !== undefined) return metadata;
  const template = isObject(spec) && isObject(spec.template) ? spec.template : {};
  const isGiven = Object.keys(labels).some((name) => !POD_LABELS.has(name));
  const own = isGiven ? metadata : metadata.filter(({ field }) => field !== 'metadata.labels');
  return [...own, ...embeddedLabelErrors('spec.template', template.metadata)];
}
