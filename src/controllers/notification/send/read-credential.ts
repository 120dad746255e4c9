import { readFile } from 'node:fs/promises';
import { messageOf } from '../../../base/index.ts';
import { Secret } from '../../../kube/builtin/index.ts';
import { ask } from '../../../kube/client/read-live.ts';
import type { KubeClient } from '../../../kube/client/client.ts';
import type { CredentialPlace } from '../../notification-settings.ts';
import type { Turns } from './turns.ts';

/** A credential, or why there is none. The reason names the place and never what is there. */
export type Credential = { readonly kind: 'value'; readonly value: string } | { readonly kind: 'missing'; readonly reason: string };

export interface CredentialReader {
  readonly client: KubeClient;
  /** The namespace of Secrets: our own. */
  readonly namespace: string;
  readonly signal?: AbortSignal;
  /** One access at a time to each file; all at once when absent. */
  readonly turns?: Turns;
}

/** Longer ones are a wrong file. */
const LONGEST = 16 * 1024;

/** Reads a credential. It is read for every message, so that a new one is used at once. */
export async function readCredential(place: CredentialPlace, reader: CredentialReader): Promise<Credential> {
  const read = place.kind === 'file' ? await fromFile(place.path, reader) : await fromSecret(place, reader);
  if (read.kind === 'missing') return read;
  const value = read.value.trim();
  const where = place.kind === 'file' ? `the file ${place.path}` : `the entry ${place.key} of Secret ${place.name}`;
  if (value === '') return { kind: 'missing', reason: `${where} is empty: wants the credential` };
  if (value.length > LONGEST || /\p{Cc}/u.test(value))
    return { kind: 'missing', reason: `${where} is more than one line of text: wants the credential` };
  return { kind: 'value', value };
}

async function fromFile(path: string, { turns, signal }: CredentialReader): Promise<Credential> {
  const read = () => readFile(path, { encoding: 'utf8', ...(signal && { signal }) });
  try {
    return { kind: 'value', value: await (turns && signal ? turns.take(path, read, signal) : read()) };
  } catch (error) {
    return { kind: 'missing', reason: `reading the credential: ${messageOf(error)}` };
  }
}

async function fromSecret(
  { name, key }: Extract<CredentialPlace, { readonly kind: 'secret' }>,
  { client, namespace, signal }: CredentialReader,
): Promise<Credential> {
  const read = await ask(() => client.get(Secret, { namespace, name }, { ...(signal && { signal }) }), signal);
  const secret = `Secret ${namespace}/${name}`;
  if (read.kind === 'absent') return { kind: 'missing', reason: `${secret} does not exist: create it with the entry ${key}` };
  if (read.kind === 'unreadable')
    return { kind: 'missing', reason: `${secret} cannot be read (${read.reason}): let Sickbay's account get it (docs/notifications.md)` };
  const encoded = Object.hasOwn(read.value.data ?? {}, key) ? read.value.data?.[key] : undefined;
  if (encoded === undefined) return { kind: 'missing', reason: `${secret} has no entry ${key}` };
  return { kind: 'value', value: Buffer.from(encoded, 'base64').toString() };
}
