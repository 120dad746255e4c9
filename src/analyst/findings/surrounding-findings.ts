import type { Event, PodSpec } from '../../api/builtin/index.ts';
import { plainText } from '../surroundings/log-lines.ts';
import type { Dependency, Surroundings } from '../surroundings/surroundings.ts';

const MOST_EVENTS = 4;

/** What is seen around the target: Warnings, claims, Services that it calls, what could not be read. */
export const surroundingFindings = ({ events, claims, dependencies, gaps }: Surroundings): readonly string[] => [
  ...distinctEvents(events).map(eventText),
  ...claims
    .filter(({ status }) => status?.phase !== 'Bound')
    .map(
      ({ metadata, spec, status }) =>
        `PersistentVolumeClaim ${metadata.name} is ${status?.phase ?? 'Unknown'} (storage class ${spec?.storageClassName ?? 'default'})`,
    ),
  ...dependencies.flatMap((dependency) => dependencyText(dependency) ?? []),
  ...gaps,
];

/** Each reason and message once: a crash loop repeats itself for every pod. */
function distinctEvents(events: readonly Event[]): readonly Event[] {
  const seen = new Map<string, Event>();
  for (const event of events) {
    const key = `${event.reason} ${(event.message ?? '').replaceAll(/[a-z0-9-]{20,}/g, '')}`;
    if (!seen.has(key)) seen.set(key, event);
  }
  return [...seen.values()].slice(0, MOST_EVENTS);
}

const eventText = ({ involvedObject, reason, message = '' }: Event): string =>
  `Event ${reason ?? ''} on ${involvedObject.kind ?? ''} ${involvedObject.name ?? ''}: ${plainText(message)}`;

function dependencyText({ service, exists, readyPods }: Dependency): string | undefined {
  if (!exists) return `it names ${service}, but there is no Service ${service} in the namespace`;
  return readyPods === 0 ? `it calls Service ${service}, which has no ready pod` : undefined;
}

/** What the pods read when they start, by name. */
export function configurationText(spec: PodSpec | undefined): readonly string[] {
  const names = [...new Set(spec ? namesIn(spec) : [])];
  return names.length === 0 ? [] : [`its pods read ${names.join(', ')}`];
}

function namesIn({ containers, initContainers = [], volumes = [] }: PodSpec): readonly string[] {
  const all = [...initContainers, ...containers];
  const map = (name: string | undefined) => (name === undefined ? [] : [`ConfigMap ${name}`]);
  const secret = (name: string | undefined) => (name === undefined ? [] : [`Secret ${name}`]);
  return [
    ...all.flatMap(({ envFrom = [] }) => envFrom.flatMap((from) => [...map(from.configMapRef?.name), ...secret(from.secretRef?.name)])),
    ...all.flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) => [...map(valueFrom?.configMapKeyRef?.name), ...secret(valueFrom?.secretKeyRef?.name)]),
    ),
    ...volumes.flatMap((volume) => [...map(volume.configMap?.name), ...secret(volume.secret?.secretName)]),
  ];
}
