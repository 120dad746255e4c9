/**
 * Objects as tables, the form in which `kubectl get` asks for them: the server knows the columns, the client only prints.
 *
 * - Start at `table.ts`: `tableOf` makes a metav1.Table of objects of one kind.
 * - `kind-columns.ts` finds the columns: `custom-columns.ts` reads those that CRDs declare, `builtin/` has Kubernetes' own.
 * - `json-path.ts` is how a CRD says where a cell comes from; `human-duration.ts` how ages are written.
 * - Cells never fail: what is missing in an object, or of another type than it should be, reads as empty.
 */
export { kindColumns } from './kind-columns.ts';
export { scaleColumns } from './builtin/workload-columns.ts';
export { asTable, includeObjectOf, tableOf } from './table.ts';
