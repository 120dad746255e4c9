import type { ApiRequest } from '../../kube/client/transport.ts';
import type { Stored } from '../object.ts';
import type { ApiAnswer } from '../server.ts';

/** Converts an object to the form that a request accepts. */
export type Present = (object: Stored) => Stored;

const whole: Present = (object) => object;

/** The form of answers: whole objects, or their metadata only. */
export function presenter(request: Pick<ApiRequest, 'accept'>): Present {
  if (request.accept !== 'metadata') return whole;
  return (object) => Object.freeze({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata });
}

/** The answer to a write in the accepted form, with the warnings about its body before those about its object. */
export function presented(answer: ApiAnswer, request: Pick<ApiRequest, 'accept'>, about: readonly string[]): ApiAnswer {
  const warnings = [...about, ...(answer.warnings ?? [])];
  const { warnings: _warnings, ...rest } = answer;
  return { ...rest, body: presenter(request)(answer.body as Stored), ...(warnings.length > 0 && { warnings }) };
}
