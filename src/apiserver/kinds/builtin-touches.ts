import { isObject } from '../../base/index.ts';
import type { Stored, Work } from '../object.ts';
import type { BuiltinTouches } from './builtin-kind.ts';

const DEFAULT_GRACE_SECONDS = 30;

/** What single built-in kinds do beyond the table. */
export const BUILTIN_TOUCHES: Readonly<Record<string, BuiltinTouches>> = {
  Namespace: { prepareCreate: prepareNamespace },
  Pod: { prepareCreate: preparePod, grace: podGrace },
  Secret: { prepareCreate: mergeStringData, prepareUpdate: mergeStringData },
};

/** A namespace lives until its content is gone, which is what its own finalizer stands for. */
function prepareNamespace(object: Work): void {
  object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name ?? '' };
  object.spec = { finalizers: ['kubernetes'] };
  object.status = { phase: 'Active' };
}

function preparePod(object: Work): void {
  object.status = { phase: 'Pending' };
}

/** A pod that no node has taken, or that has ended, goes at once. */
function podGrace(object: Stored, asked: number | undefined): number {
  const spec = isObject(object.spec) ? object.spec : {};
  const status = isObject(object.status) ? object.status : {};
  if ((spec.nodeName ?? '') === '' || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const own = spec.terminationGracePeriodSeconds;
  return asked ?? (typeof own === 'number' ? own : DEFAULT_GRACE_SECONDS);
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
