import { labelKeyProblems } from '../../kube/selectors/index.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import type { Stored, Work } from '../object.ts';

const PATH = 'metadata.finalizers';

/** Finalizers of Kubernetes itself, which have no domain. */
const STANDARD: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

const isQualified = (name: string): boolean => name.includes('/') || STANDARD.has(name);

/** What is wrong with finalizers, for all kinds. */
export function finalizerErrors(finalizers: readonly string[] = []): readonly FieldError[] {
  const errors = finalizers.flatMap((name) => labelKeyProblems(name).map((problem) => invalidValue(PATH, name, problem)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(PATH, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** Built-in kinds require a domain in finalizers. */
export const unqualifiedFinalizers = (finalizers: readonly string[] = []): readonly FieldError[] =>
  finalizers.flatMap((name, i) =>
    isQualified(name) ? [] : [invalidValue(`${PATH}[${i}]`, name, 'name is neither a standard finalizer name nor is it fully qualified')],
  );

/** A new finalizer without a domain is only a warning on custom objects. */
export function finalizerWarnings({ metadata }: Work, old: Stored | undefined): readonly string[] {
  const added = (metadata.finalizers ?? []).filter((name) => !old?.metadata.finalizers?.includes(name)).toSorted();
  return [...new Set(added)].flatMap((name) => [
    ...labelKeyProblems(name).map((problem) => warning(name, problem)),
    ...(isQualified(name)
      ? []
      : [warning(name, 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers')]),
  ]);
}

const warning = (name: string, text: string): string => `${PATH}: ${JSON.stringify(name)}: ${text}`;
