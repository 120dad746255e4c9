/**
 * What an execution resolves before it starts: the catalogue (all RemediationWorkflow objects) on one side, the plan on the other.
 *
 *   plan ──resolve──▶ what is run │ wait │ fault          what is run ──dependencies──▶ ready │ wait │ fault
 *
 * - `find-entry.ts`   the entry that a plan was made of, and why it may no longer be used: withdrawn, replaced, edited.
 * - `resolve-plan.ts` fills in what the plan leaves open (engine, its settings, account, dependencies); what the plan says stays.
 * - `check-parameters.ts` values against what the entry declares; nothing is filled in that was not approved.
 * - `dependencies.ts` Secrets, ConfigMaps and the account that must exist in the execution namespace.
 * - `read-catalogue.ts` reads, from the cache or the server; everything else is pure.
 * Start with resolve-plan.ts.
 */
export { accountToMake, commonAccount, dependenciesOf, judgeDependencies, readDependencies, type SeenDependency } from './dependencies.ts';
export { BY_WORKFLOW_ID, workflowIdOf } from './find-entry.ts';
export type { PlanFault } from './fault.ts';
export { readCatalogue } from './read-catalogue.ts';
export { resolve } from './resolve-plan.ts';
