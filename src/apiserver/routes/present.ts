import type { ApiRequest } from '../../kube/transport.ts';
import type { Stored } from '../object.ts';

/** Gives an object the form that a request asked for. */
export type Present = (object: Stored) => Stored;

const whole: Present = (object) => object;

/** The form of answers: whole objects, or their metadata only. */
export function presenter(request: Pick<ApiRequest, 'accept'>): Present {
  if (request.accept !== 'metadata') return whole;
  return (object) => Object.freeze({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata });
}
