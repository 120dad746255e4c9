import { sha256 } from './fingerprint.ts';

/** Identifies signals of one name where the source has no identifier: 16 hex digits over the labels. */
export function instanceOfLabels(labels: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(sorted)).slice(0, 16);
}
