import type { LabelSelector } from '../../../kube/meta.ts';
import type { JsonObject } from '../../../base/index.ts';
import { formatLabelSelector, labelRequirements, SelectorError } from '../../../kube/selectors/index.ts';

/** Labels as `a=b,c=d`; `<none>` for none. */
export const labelsText = (labels: JsonObject): string =>
  Object.entries(labels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',') || '<none>';

/** A label selector in the form of queries; empty for one that selects everything. */
export function selectorText(selector: JsonObject): string {
  try {
    return formatLabelSelector(labelRequirements(selector as LabelSelector).toSorted((a, b) => (a.key < b.key ? -1 : 1)));
  } catch (error) {
    if (error instanceof SelectorError) return '<invalid>';
    throw error;
  }
}
