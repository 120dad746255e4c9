import type { Stored, Work } from '../object.ts';

/** Whether an object is a namespace that still has its own finalizer: it stays until its content is gone. */
export const holdsContent = ({ apiVersion, kind, spec }: Work | Stored): boolean =>
  apiVersion === 'v1' &&
  kind === 'Namespace' &&
  ((spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? []).length > 0;
