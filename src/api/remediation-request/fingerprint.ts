import { createHash } from 'node:crypto';

/** What makes two signals the same problem. */
export interface Place {
  readonly kind: string;
  readonly name: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
}

/**
 * 64 hex digits, equal for all signals about one top owner, whatever they say about it.
 * @example fingerprintOf({ namespace: '', kind: 'Node', name: 'worker-1' }) // sha256 of ":Node:worker-1"
 */
export const fingerprintOf = (place: Place, clusterID = ''): string =>
  sha256(clusterID === '' ? placeText(place) : `${clusterID}:${placeText(place)}`);

/** `namespace:Kind:name`. */
export const placeText = ({ namespace, kind, name }: Place): string => `${namespace}:${kind}:${name}`;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
