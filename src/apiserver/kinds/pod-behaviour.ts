import { isObject, type JsonObject } from '../../base/index.ts';
import type { Stored, Work } from '../object.ts';
import type { BuiltinBehaviour } from './builtin-kind.ts';

const DEFAULT_GRACE_SECONDS = 30;

/** Behaviour of Pods beyond the table. */
export const POD_BEHAVIOUR: BuiltinBehaviour = { complete, prepareCreate, prepareStatus, grace };

/** Defaults of Pods, which pod templates do not get. */
function complete(object: Work): void {
  const { spec } = object;
  if (!isObject(spec)) return;
  object.spec = { enableServiceLinks: true, ...spec, ...withRequests(spec, 'initContainers'), ...withRequests(spec, 'containers') };
}

/** A resource limit without a request is also the request. */
function withRequests(spec: JsonObject, field: 'containers' | 'initContainers'): JsonObject {
  const containers = containersIn(spec, field);
  return containers.some(needsRequests) ? { [field]: containers.map(requesting) } : {};
}

const containersIn = (spec: JsonObject, field: string): readonly JsonObject[] =>
  Array.isArray(spec[field]) ? (spec[field] as readonly JsonObject[]) : [];

function amountsIn(container: JsonObject, field: 'limits' | 'requests'): JsonObject {
  const resources = isObject(container.resources) ? container.resources : {};
  return isObject(resources[field]) ? resources[field] : {};
}

const needsRequests = (container: JsonObject): boolean =>
  Object.keys(amountsIn(container, 'limits')).some((name) => amountsIn(container, 'requests')[name] === undefined);

const requesting = (container: JsonObject): JsonObject => ({
  ...container,
  resources: {
    ...(container.resources as object | undefined),
    requests: { ...amountsIn(container, 'limits'), ...amountsIn(container, 'requests') },
  },
});

function prepareCreate(object: Work): void {
  const spec = isObject(object.spec) ? object.spec : {};
  const containers = [...containersIn(spec, 'initContainers'), ...containersIn(spec, 'containers')];
  object.status = { phase: 'Pending', qosClass: serviceClass(containers) };
}

/** The QoS class is set once; a status that leaves it out keeps it. */
function prepareStatus(object: Work, { status: old }: Stored): void {
  const status = isObject(object.status) ? object.status : {};
  if (status.qosClass === undefined && isObject(old)) object.status = { ...status, qosClass: old.qosClass };
}

/** The QoS class: BestEffort without any request, Guaranteed when every limit equals its request, else Burstable. */
function serviceClass(containers: readonly JsonObject[]): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const counted = ['cpu', 'memory'];
  const hasNoRequests = (container: JsonObject): boolean => counted.every((name) => amountsIn(container, 'requests')[name] === undefined);
  if (containers.every(hasNoRequests)) return 'BestEffort';
  const isLimited = (container: JsonObject): boolean =>
    counted.every((name) => {
      const limit = amountsIn(container, 'limits')[name];
      return limit !== undefined && limit === amountsIn(container, 'requests')[name];
    });
  return containers.every(isLimited) ? 'Guaranteed' : 'Burstable';
}

/** A pod that is not scheduled, or that has ended, is deleted at once. */
function grace(object: Stored, requested: number | undefined): number {
  const spec = isObject(object.spec) ? object.spec : {};
  const status = isObject(object.status) ? object.status : {};
  if ((spec.nodeName ?? '') === '' || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const own = spec.terminationGracePeriodSeconds;
  return requested ?? (typeof own === 'number' ? own : DEFAULT_GRACE_SECONDS);
}
