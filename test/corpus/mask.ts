import { isObject, type JsonObject } from '../../src/base/index.ts';
import { NAMESPACE } from './fault.ts';
import type { PodLog, Seen, Snapshot } from './recording.ts';

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;
/** What says much about the machine that recorded, and nothing about the fault. */
const LEFT_OUT_OF_NODES = [
  'images',
  'addresses',
  'nodeInfo',
  'volumesInUse',
  'volumesAttached',
  'daemonEndpoints',
  'features',
  'runtimeHandlers',
];

/**
 * Leaves of what was seen only what belongs to the fault: no addresses, no contents of Secrets, nothing of the machine. The same address is
 * the same in all snapshots that one masker has seen.
 */
export function createMask(namespace: string): (snapshot: Snapshot) => Snapshot {
  const addresses = new Map<string, string>();
  const addressFor = (address: string): string => {
    if (address.startsWith('0.') || address.startsWith('127.')) return address;
    const known = addresses.get(address) ?? `192.0.2.${addresses.size + 1}`;
    addresses.set(address, known);
    return known;
  };
  const mask = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(ADDRESS, addressFor).replaceAll(namespace, NAMESPACE)) as T;
  return ({ at, objects, logs }) => ({ at, objects: mask(objects.filter(isOfTheFault).map(trimmed)), logs: mask(logs.map(trimmedLog)) });
}

const isOfTheFault = ({ kind, metadata }: Seen): boolean => !(kind === 'ConfigMap' && metadata.name === 'kube-root-ca.crt');

function trimmed(object: Seen): Seen {
  const { managedFields, ...metadata } = object.metadata as Seen['metadata'] & { readonly managedFields?: readonly JsonObject[] };
  // Who changed it when is worth knowing, which fields is not.
  const changes = managedFields?.map(({ manager, operation, time, subresource }) => ({ manager, operation, time, subresource }));
  return { ...trimmedContent(object), metadata: { ...metadata, ...(changes && { managedFields: changes }) } as Seen['metadata'] };
}

function trimmedContent(object: Seen): Seen {
  if (object.kind === 'Secret') return { ...object, data: withoutValues(object['data']) };
  if (object.kind !== 'Node' || !isObject(object['status'])) return object;
  return { ...object, status: Object.fromEntries(Object.entries(object['status']).filter(([name]) => !LEFT_OUT_OF_NODES.includes(name))) };
}

const withoutValues = (data: unknown): JsonObject => Object.fromEntries(Object.keys(isObject(data) ? data : {}).map((key) => [key, '']));

const MOST_CHARACTERS = 4_000;

const trimmedLog = (log: PodLog): PodLog => ({ ...log, text: log.text.slice(-MOST_CHARACTERS) });
