/**
 * Objects as tables, the form in which `kubectl get` asks for them: the server knows the columns, the client only prints.
 *
 * - Start at `table.ts`: `tableOf` makes a metav1.Table of objects of one kind.
 * - `kind-columns.ts` finds the columns: `custom-columns.ts` reads those that CRDs declare, `builtin/` has Kubernetes' own.
 * - `json-path.ts` reads the path of a CRD's column; `human-duration.ts` writes ages.
 * - Cells never fail: a field that is missing or of an unexpected type reads as empty.
 */
export { kindColumns } from './kind-columns.ts';
export { scaleColumns } from './builtin/workload-columns.ts';
export { asTable, includeObjectOf, tableOf } from './table.ts';
