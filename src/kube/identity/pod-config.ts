import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, PlatformError, type Clock } from '../../base/index.ts';
import type { ClusterConfig } from './load-config.ts';
import { tokenFile } from './token-file.ts';

/** Where the kubelet puts what a pod needs to speak to its own cluster. */
const MOUNTED_AT = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface PodConfigOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the account is mounted, when it is not the usual place. */
  readonly folder?: string;
}

/** The cluster that we are a pod of, and our account there; undefined when we are not in a pod, or it has no account. */
export function podConfig({ clock, env, folder = MOUNTED_AT }: PodConfigOptions): ClusterConfig | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const token = join(folder, 'token');
  if (!host || !port || !existsSync(token)) return undefined;
  const namespace = join(folder, 'namespace');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: read(join(folder, 'ca.crt')),
    identity: tokenFile(token, clock),
    ...(existsSync(namespace) ? { namespace: read(namespace).trim() } : {}),
  };
}

/** Without its authority the cluster cannot be verified: that is no reason to trust the machine's own authorities. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PlatformError('Invalid', `reading the pod's account in ${file}: ${messageOf(error)}`, { cause: error, retry: 'never' });
  }
}
