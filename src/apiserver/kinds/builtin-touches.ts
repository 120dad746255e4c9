import { isObject } from '../../base/index.ts';
import { RBAC_TOUCHES } from '../authorization/rbac-kinds.ts';
import type { Stored, Work } from '../object.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import type { BuiltinTouches } from './builtin-kind.ts';
import { JOB_TOUCHES } from './job-touches.ts';
import type { Review } from './kind.ts';
import { POD_TOUCHES } from './pod-touches.ts';

/** What single built-in kinds do beyond the table. */
export const BUILTIN_TOUCHES: Readonly<Record<string, BuiltinTouches>> = {
  ...RBAC_TOUCHES,
  Event: { validate: validateEvent },
  Job: JOB_TOUCHES,
  Namespace: { complete: labelNamespace, prepareCreate: prepareNamespace, prepareUpdate: keepNamespace, validate: validateNamespace },
  Pod: POD_TOUCHES,
  Secret: { prepareCreate: mergeStringData, prepareUpdate: mergeStringData },
};

/** A namespace lives until its content is gone, which is what its own finalizer stands for. */
function prepareNamespace(object: Work): void {
  labelNamespace(object);
  object.spec = { finalizers: ['kubernetes'] };
  object.status = { phase: 'Active' };
}

/** What is content and what is not is for whoever collects it to say. */
function keepNamespace(object: Work, old: Stored): void {
  object.spec = old.spec;
}

/** Its phase follows from whether it is on its way out. */
function validateNamespace({ metadata, status }: Work, { metadata: errors, subresource }: Review): readonly FieldError[] {
  const { phase } = isObject(status) ? status : {};
  const [only, state] = metadata.deletionTimestamp === undefined ? ['Active', 'empty'] : ['Terminating', 'not empty'];
  if (subresource !== 'status' || phase === only) return errors;
  return [...errors, invalidValue('status.Phase', phase, `may only be '${only}' if \`deletionTimestamp\` is ${state}`)];
}

/** Selectors of namespaces can name one. */
function labelNamespace({ metadata }: Work): void {
  if (metadata.name !== undefined) metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
}

/** An event is where the object is that it is about; only then its metadata is looked at. */
function validateEvent({ metadata, involvedObject }: Work, { metadata: errors }: Review): readonly FieldError[] {
  const { namespace = '' } = isObject(involvedObject) ? involvedObject : {};
  const isHere = namespace === metadata.namespace || (namespace === '' && metadata.namespace === 'default');
  return isHere ? errors : [invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace')];
}

/** Plain text may be written, but only the encoded form is kept. */
function mergeStringData(object: Work): void {
  const { stringData, data } = object;
  delete object.stringData;
  object.type ??= 'Opaque';
  if (!isObject(stringData)) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  object.data = { ...(isObject(data) ? data : {}), ...Object.fromEntries(encoded) };
}
