import { isObject } from '../../base/index.ts';
import { RBAC_BEHAVIOUR } from '../authorization/rbac-kinds.ts';
import type { Stored, Work } from '../object.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import { validateConfigMap, validateSecret } from '../limits/data-size.ts';
import type { BuiltinBehaviour } from './builtin-kind.ts';
import { JOB_BEHAVIOUR } from './job-behaviour.ts';
import type { ValidationContext } from './kind.ts';
import { POD_BEHAVIOUR } from './pod-behaviour.ts';

/** Behaviour of single built-in kinds beyond the table. */
export const BUILTIN_BEHAVIOUR: Readonly<Record<string, BuiltinBehaviour>> = {
  ...RBAC_BEHAVIOUR,
  ConfigMap: { validate: validateConfigMap },
  Event: { validate: validateEvent },
  Job: JOB_BEHAVIOUR,
  Namespace: { complete: labelNamespace, prepareCreate: prepareNamespace, prepareUpdate: keepNamespace, validate: validateNamespace },
  Pod: POD_BEHAVIOUR,
  Secret: { prepareCreate: mergeStringData, prepareUpdate: mergeStringData, validate: validateSecret },
};

/** A namespace has a finalizer in its spec: it stays until its content is deleted. */
function prepareNamespace(object: Work): void {
  labelNamespace(object);
  object.spec = { finalizers: ['kubernetes'] };
  object.status = { phase: 'Active' };
}

/** An update cannot change the spec of a namespace, its finalizers: garbage collection removes them. */
function keepNamespace(object: Work, old: Stored): void {
  object.spec = old.spec;
}

/** The phase is Terminating once the namespace is marked for deletion. */
function validateNamespace({ metadata, status }: Work, { metadata: errors, subresource }: ValidationContext): readonly FieldError[] {
  const { phase } = isObject(status) ? status : {};
  const [only, state] = metadata.deletionTimestamp === undefined ? ['Active', 'empty'] : ['Terminating', 'not empty'];
  if (subresource !== 'status' || phase === only) return errors;
  return [...errors, invalidValue('status.Phase', phase, `may only be '${only}' if \`deletionTimestamp\` is ${state}`)];
}

/** The label by which namespace selectors can select one namespace. */
function labelNamespace({ metadata }: Work): void {
  if (metadata.name !== undefined) metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
}

/** An Event must be in the namespace of its object; this is checked before its metadata. */
function validateEvent({ metadata, involvedObject }: Work, { metadata: errors }: ValidationContext): readonly FieldError[] {
  const { namespace = '' } = isObject(involvedObject) ? involvedObject : {};
  const isHere = namespace === metadata.namespace || (namespace === '' && metadata.namespace === 'default');
  return isHere ? errors : [invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace')];
}

/** `stringData` can be written, but only `data` is stored. */
function mergeStringData(object: Work): void {
  const { stringData, data } = object;
  delete object.stringData;
  object.type ??= 'Opaque';
  if (!isObject(stringData)) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  object.data = { ...(isObject(data) ? data : {}), ...Object.fromEntries(encoded) };
}
