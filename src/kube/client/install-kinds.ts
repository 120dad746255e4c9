import { crdOf, CustomResourceDefinition, resourceName, type KindDefinition } from '../../api/index.ts';
import { after, hasCode, PlatformError, type Clock, type Instant } from '../../base/index.ts';
import type { KubeClient } from './client.ts';

export interface InstallOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** When to give up waiting for the API to serve them. */
  readonly until: Instant;
  readonly signal?: AbortSignal;
}

const LOOK_EVERY_MS = 100;

/** Creates the definitions of the kinds where they are not there yet, and resolves when the API serves them all. */
export async function installKinds(
  kinds: readonly KindDefinition[],
  options: InstallOptions,
): Promise<readonly CustomResourceDefinition[]> {
  for (const kind of kinds) await createOnce(kind, options.client);
  const installed: CustomResourceDefinition[] = [];
  for (const kind of kinds) installed.push(await established(kind, options));
  return installed;
}

async function createOnce(kind: KindDefinition, client: KubeClient): Promise<void> {
  try {
    await client.create(CustomResourceDefinition, crdOf(kind));
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}

async function established(
  kind: KindDefinition,
  { client, clock, until, signal = new AbortController().signal }: InstallOptions,
): Promise<CustomResourceDefinition> {
  for (;;) {
    const found = await client.get(CustomResourceDefinition, { namespace: '', name: resourceName(kind) });
    if (isEstablished(found) && (await isServed(kind, client))) return found;
    if (clock.now() >= until) throw new PlatformError('Unavailable', `${resourceName(kind)} is not served in time`);
    await clock.waitUntil(after(clock.now(), LOOK_EVERY_MS), signal);
  }
}

const isEstablished = ({ status }: CustomResourceDefinition): boolean =>
  status?.conditions?.some(({ type, status: holds }) => type === 'Established' && holds === 'True') ?? false;

/** A definition is established a moment before its objects can be listed. */
async function isServed(kind: KindDefinition, client: KubeClient): Promise<boolean> {
  try {
    await client.list(kind, { namespace: 'default' });
    return true;
  } catch (error) {
    if (hasCode(error, 'NotFound')) return false;
    throw error;
  }
}
