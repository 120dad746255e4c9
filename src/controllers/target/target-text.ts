/** A resource that something is wrong with, or that something is done to. */
export interface Target {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly apiVersion?: string;
}

/**
 * A target in one word, as WorkflowExecutions, locks and messages name it.
 * @example targetText({ kind: 'Deployment', name: 'checkout', namespace: 'shop' }) === 'shop/Deployment/checkout'
 */
export const targetText = ({ namespace, kind, name }: Target): string => [namespace, kind, name].filter(Boolean).join('/');

/** Reads what `targetText` wrote; undefined when it is neither `namespace/Kind/name` nor `Kind/name`. */
export function parseTarget(text: string): Target | undefined {
  const parts = text.split('/');
  if (parts.length < 2 || parts.length > 3 || parts.includes('')) return undefined;
  const [name = '', kind = '', namespace] = parts.toReversed();
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
