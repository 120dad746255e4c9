import { kinds, resourceName } from '../../api/index.ts';
import { hasCode, PlatformError } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { probeKind } from './probe-kind.ts';

/** Fails at once with what is missing, instead of waiting for kinds that are not installed. */
export async function demandKinds(client: KubeClient, namespace: string): Promise<void> {
  for (const kind of kinds) {
    try {
      await probeKind(client, kind, namespace);
    } catch (error) {
      if (!hasCode(error, 'NotFound')) throw error;
      const advice = 'install its kinds with --install, or with kubectl apply -f deploy/crds';
      throw new PlatformError('Unavailable', `the cluster does not serve ${resourceName(kind)}: ${advice}`, { cause: error });
    }
  }
}
