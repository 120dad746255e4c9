import { canonicalText, digest } from './spec-hash.ts';
import type { Target } from './target-text.ts';

/** Everything that makes one plan differ from another. */
export interface Plan {
  readonly workflowId: string;
  readonly version: string;
  readonly executionBundle: string;
  readonly executionBundleDigest?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly target: Target & { readonly uid?: string };
}

/** What approval and execution must agree on: another workflow, parameter or target is another plan. */
export const planDigest = ({ target, ...plan }: Plan): string => {
  const { kind, name, namespace, uid } = target;
  return digest(canonicalText({ ...plan, target: { kind, name, namespace, uid } }));
};
