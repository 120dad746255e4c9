import type { DeploymentEvidence } from '../evidence.ts';
import { calledServices } from './called-services.ts';

/**
 * Services that the pods of a Deployment call and that have no ready pod, or do not exist, although an earlier revision calls them too. One that only
 * the newest revision calls may be a mistake of that release.
 */
export function deadServices({ around, revisions: [newest, ...earlier] }: DeploymentEvidence): readonly string[] {
  const calledBefore = new Set(
    earlier.flatMap(({ replicaSet }) => (replicaSet.spec.template ? calledServices(replicaSet.spec.template.spec) : [])),
  );
  return (around?.dependencies ?? [])
    .filter(({ service, exists, readyPods }) => (exists ? readyPods === 0 : calledBefore.has(service)) && isCalledBefore(service))
    .map(({ service }) => service);

  function isCalledBefore(service: string): boolean {
    return newest === undefined || earlier.length === 0 || calledBefore.has(service);
  }
}
