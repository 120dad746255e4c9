import type { PodTemplate } from '../../api/builtin/index.ts';
import { isObject } from '../../base/index.ts';
import { numberOf, safeLetters } from '../safe-letters.ts';

/** The label by which the pods of one revision are told from those of another. */
export const TEMPLATE_HASH = 'pod-template-hash';

/** A short name for the template: the same content gives the same name, in whatever order it is written. */
export const templateHash = (template: PodTemplate): string => safeLetters(numberOf(sortedText(template)), 10);

function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([key, member]) => `${JSON.stringify(key)}:${sortedText(member)}`)
    .toSorted()
    .join(',')}}`;
}
