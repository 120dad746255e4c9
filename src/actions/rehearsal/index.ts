/**
 * Rehearses a remediation: what the gateway, the controllers and the analyst would decide about the cluster as it is now, without a write.
 *
 * - `rehearsal-client.ts` reads the cluster and keeps in memory what would be written to Sickbay's own kinds.
 * - `catalogue.ts` is the catalogue to select from: that of the cluster, or the workflows of the package where Sickbay is not installed.
 * - `rehearse.ts` takes a request as far as its plan, with the controllers that do it in a cluster; `rehearsal-view.ts` is what is shown of it
 *   (`by-hand.ts`: what a person would type instead).
 */
export { readCatalogue } from './catalogue.ts';
export { rehearsalClient } from './rehearsal-client.ts';
export { rehearsalView, type ConclusionView, type RehearsalView, type WouldDo } from './rehearsal-view.ts';
export { rehearse, type RehearsalParts } from './rehearse.ts';
