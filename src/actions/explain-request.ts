import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { hasCode, PlatformError, toTime, type Clock, type Instant } from '../base/index.ts';
import { explain, explainText, type Explanation } from '../controllers/remediation/explain/index.ts';
import type { Settings } from '../controllers/settings.ts';
import { askList } from '../kube/client/read-live.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { lookAtRequest } from './read-request-details.ts';
import { readSnapshot } from './snapshot-reader.ts';

/** Which request is explained, with which client. */
export interface ExplainQuestion {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The settings that Sickbay runs with; their namespace is the namespace of the request. */
  readonly settings: Settings;
  /** No config file was given, so that its change windows are not known. */
  readonly windowsAreUnknown?: boolean;
  readonly name: string;
}

/** Why a RemediationRequest is in its phase, as far as the user may read that. */
export async function explainRequest({ client, clock, settings, name, windowsAreUnknown = false }: ExplainQuestion): Promise<Explanation> {
  const { namespace } = settings;
  const request = await find(client, { namespace, name });
  const reader = await readSnapshot(client, namespace);
  return explain(await lookAtRequest({ request, reader, settings, windowsAreUnknown, now: clock.now() }));
}

type Place = { readonly namespace: string; readonly name: string };

async function find(client: KubeClient, place: Place): Promise<RemediationRequest> {
  try {
    return await client.get(RemediationRequest, place);
  } catch (error) {
    if (!hasCode(error, 'NotFound')) throw error;
    const message = `there is no RemediationRequest ${place.name} in the namespace ${place.namespace}${await others(client, place)}`;
    throw new PlatformError('NotFound', message, { retry: 'never', cause: error });
  }
}

/** A longer list does not help to find one. */
const MOST_NAMES = 10;

/** The existing requests, the newest first. */
async function others(client: KubeClient, { namespace }: Place): Promise<string> {
  const listed = await askList(client, RemediationRequest, { namespace, metadataOnly: true });
  if (listed.kind === 'unreadable') return ` (${listed.reason})`;
  const names = listed.value
    .toSorted((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1))
    .map(({ metadata }) => metadata.name);
  if (names.length === 0) return ', nor any other';
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `; there is ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** Fields of an explanation that hold a time. */
const MOMENTS: readonly string[] = ['at', 'until', 'lookAgainAt'];

/** The printed explanation. */
export const explainedText = (explanation: Explanation, form: 'text' | 'json', now: Instant): string =>
  form === 'json'
    ? JSON.stringify(explanation, (key, value: unknown) => (MOMENTS.includes(key) ? toTime(value as Instant) : value), 2)
    : explainText(explanation, now).trimEnd();
