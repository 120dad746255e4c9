import { isObject } from '../../base/index.ts';
import { labelKeyProblems, labelValueProblems } from '../../kube/selectors/index.ts';
import { forbiddenField, invalidValue, requiredField, type FieldError } from '../field-error.ts';
import type { Stored, Work, WorkMeta, WorkOwner } from '../object.ts';
import { finalizerErrors, unqualifiedFinalizers } from './finalizers.ts';
import { nameProblems, prefixProblems, type NameRule } from './names.ts';

const LARGEST_ANNOTATIONS = 256 * 1024;

/** The metadata rules of a kind. */
export interface MetadataRules {
  readonly nameRule: NameRule;
  readonly strictMetadata: boolean;
}

/** What is wrong with the metadata of a new object. */
export function validateMetadata(object: Work, { nameRule, strictMetadata }: MetadataRules): readonly FieldError[] {
  const { metadata } = object;
  return [
    ...nameErrors(metadata, nameRule),
    ...bodyErrors(metadata),
    ...(strictMetadata ? unqualifiedFinalizers(metadata.finalizers) : []),
  ];
}

/** What is wrong with a change of metadata: some fields never change once an object exists. */
export function validateMetadataUpdate(object: Work, old: Stored, rules: MetadataRules): readonly FieldError[] {
  const { metadata } = object;
  const errors = [...(rules.strictMetadata ? validateMetadata(object, rules) : bodyErrors(metadata))];
  for (const field of IMMUTABLE) {
    if (metadata[field] !== old.metadata[field])
      errors.push(invalidValue(`metadata.${field}`, metadata[field] ?? null, 'field is immutable'));
  }
  const added = (metadata.finalizers ?? []).filter((finalizer) => !old.metadata.finalizers?.includes(finalizer));
  if (old.metadata.deletionTimestamp !== undefined && added.length > 0) {
    const found = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
    errors.push(
      forbiddenField(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${found}}`,
      ),
    );
  }
  return errors;
}

const bodyErrors = ({ labels, annotations, ownerReferences, finalizers }: WorkMeta): readonly FieldError[] => [
  ...labelErrors('metadata.labels', labels),
  ...annotationErrors(annotations),
  ...ownerErrors(ownerReferences),
  ...finalizerErrors(finalizers),
];

const IMMUTABLE = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

function nameErrors(metadata: WorkMeta, rule: NameRule): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (metadata.generateName !== undefined) {
    errors.push(...prefixProblems(rule, metadata.generateName).map((p) => invalidValue('metadata.generateName', metadata.generateName, p)));
  }
  if (metadata.name === undefined) return [...errors, requiredField('metadata.name', 'name or generateName is required')];
  return [...errors, ...nameProblems(rule, metadata.name).map((problem) => invalidValue('metadata.name', metadata.name, problem))];
}

/** What is wrong with labels; also used for the metadata of embedded resources. */
function labelErrors(field: string, labels: Readonly<Record<string, string>> | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    errors.push(...labelKeyProblems(key).map((problem) => invalidValue(field, key, problem)));
    errors.push(...labelValueProblems(labels[key]!).map((problem) => invalidValue(field, labels[key], problem)));
  }
  return errors;
}

function annotationErrors(annotations: Readonly<Record<string, string>> | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in annotations) {
    // Upper case is fine in the prefix of an annotation, unlike in that of a label.
    errors.push(...labelKeyProblems(key.toLowerCase()).map((problem) => invalidValue('metadata.annotations', key, problem)));
    size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key]!);
  }
  if (size > LARGEST_ANNOTATIONS) {
    errors.push({
      reason: 'FieldValueTooLong',
      field: 'metadata.annotations',
      message: `Too long: may not be more than ${LARGEST_ANNOTATIONS} bytes`,
    });
  }
  return errors;
}

function ownerErrors(owners: readonly WorkOwner[] | undefined): readonly FieldError[] {
  if (!owners) return [];
  const errors = owners.flatMap(ownerProblems);
  const [first, second] = owners.filter((owner) => owner.controller === true);
  if (first && second) {
    const pair = `${first.kind}/${first.name} and ${second.kind}/${second.name}`;
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${pair}`;
    errors.push(invalidValue('metadata.ownerReferences', owners, detail));
  }
  return errors;
}

function ownerProblems(owner: WorkOwner): readonly FieldError[] {
  const errors: FieldError[] = [];
  const path = 'metadata.ownerReferences';
  const version = /^(?:[^/]*\/)?([^/]+)$/.exec(owner.apiVersion ?? '');
  if (!version) errors.push(invalidValue(`${path}.apiVersion`, owner.apiVersion ?? '', 'version must not be empty'));
  for (const field of ['kind', 'name', 'uid'] as const) {
    if ((owner[field] ?? '') === '') errors.push(invalidValue(`${path}.${field}`, '', 'must not be empty'));
  }
  if (owner.apiVersion === 'v1' && owner.kind === 'Event')
    errors.push(invalidValue(path, owner, 'Event is disallowed from being an owner'));
  return errors;
}

/** Errors in the labels of an embedded resource's metadata. */
export const embeddedLabelErrors = (path: string, metadata: unknown): readonly FieldError[] =>
  isObject(metadata) && isObject(metadata.labels) ? labelErrors(`${path}.labels`, metadata.labels as Record<string, string>) : [];
