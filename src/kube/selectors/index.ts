/**
 * Label and field selectors: read, matched and written the same way by the client, the cache and the embedded server.
 *
 * - `label-selector.ts` reads the query form and metav1.LabelSelector into requirements, and matches labels.
 * - `field-selector.ts` reads the query form; the caller says how a field's value is found.
 * - `label-syntax.ts` is the syntax of label keys and values, which annotations and finalizers share.
 */
export * from './field-selector.ts';
export * from './label-selector.ts';
export * from './label-syntax.ts';
export * from './selector-error.ts';
