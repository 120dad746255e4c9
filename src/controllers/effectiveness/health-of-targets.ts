/** What other rooms need to judge whether a target is healthy. */
export { desiredReplicas } from './check-components.ts';
export { scoreHealth } from './scorers/health.ts';
