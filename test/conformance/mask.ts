import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../src/base/index.ts';
import type { Comparable, ComparableEvent } from './comparable.ts';
import type { WireRequest } from './wire.ts';

/** What both servers said to a request. */
export interface Exchange {
  readonly request: WireRequest;
  readonly real: Comparable;
  readonly ours: Comparable;
}

/** A difference that is accepted, and why. */
export interface Tolerated {
  readonly reason: string;
  /** The exchange without this difference, where it has it; all other differences stay. */
  tolerate?(exchange: Exchange): Exchange;
  /** The same for what a watch of the real server saw. */
  tolerateSeen?(events: readonly ComparableEvent[]): readonly ComparableEvent[];
}

/** Every difference between a real kube-apiserver and ours that is accepted. At most ten; all else is a bug in ours. */
export const MASK: readonly Tolerated[] = [
  {
    reason: 'items of lists of built-in kinds say what they are: a real server leaves that out, and clients put it in again',
    tolerate: (exchange) => ({ ...exchange, ours: withItems(exchange.ours, exchange.real) }),
  },
  {
    reason: 'who sends what cannot be read, or takes no answer that can be given, is told so before anything else is looked at',
    tolerate: (exchange) => (isAtTheDoor(exchange) ? { ...exchange, ours: exchange.real } : exchange),
  },
  {
    reason: 'who takes any application/* gets JSON; a real server knows that of kinds that a CRD defines, but not of its own',
    tolerate: ({ request, real, ours }) => ({ request, real: request.accept === 'application/*' && real.code === 406 ? ours : real, ours }),
  },
  {
    reason: 'HEAD is no method; a real server answers it for kinds that a CRD defines, but not for its own',
    tolerate: ({ request, real, ours }) => ({ request, real: request.method === 'HEAD' && ours.code === 405 ? ours : real, ours }),
  },
  {
    reason: 'no admission plugins add to pods and nodes what a scheduler would look at: tolerations, priorities, taints',
    tolerate: ({ real, ...rest }) => ({
      ...rest,
      real: without(real, ['tolerations', 'priority', 'preemptionPolicy', 'taints'], rest.ours),
    }),
  },
  {
    reason: 'services are given no addresses: there is no network that would route them',
    tolerate: ({ real, ...rest }) => ({
      ...rest,
      real: without(real, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'], rest.ours),
    }),
  },
  {
    reason: 'no controller counts the templates of DaemonSets, which a real server does in an annotation that it calls deprecated',
    tolerate: ({ real, ...rest }) => ({ ...rest, real: { ...real, body: withoutCount(real.body) } }),
  },
  {
    reason: 'selfLink, which no server writes any more, is never kept; a real one keeps what came with a PUT that creates',
    tolerate: ({ real, ...rest }) => ({ ...rest, real: { ...real, body: withoutSelfLink(real.body) } }),
  },
  {
    reason: 'managed fields are not tracked here, so a write that changes only field ownership is no change, and no watch sees it',
    tolerateSeen: (events) => events.filter((event, i) => !isRepeated(event, events.slice(0, i))),
  },
];

/** An answer without members of the spec that the other one does not have. */
function without(real: Comparable, fields: readonly string[], ours: Comparable): Comparable {
  const isExtra = (theirs: unknown, name: string): boolean => fields.includes(name) && !(isObject(theirs) && name in theirs);
  const strip = (object: unknown, other: unknown): unknown => {
    if (!isObject(object) || !isObject(object.spec)) return object;
    const theirs = isObject(other) ? other.spec : undefined;
    return { ...object, spec: Object.fromEntries(Object.entries(object.spec).filter(([name]) => !isExtra(theirs, name))) };
  };
  const [items, others] = [itemsOf(real), itemsOf(ours)];
  if (!items) return { ...real, body: strip(real.body, ours.body) };
  return { ...real, body: { ...(real.body as object), items: items.map((item, i) => strip(item, others?.[i])) } };
}

function withoutCount(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutCount);
  if (!isObject(body)) return body;
  if (Array.isArray(body.items)) return { ...body, items: withoutCount(body.items) };
  if (!isObject(body.metadata) || !isObject(body.metadata.annotations)) return body;
  const { 'deprecated.daemonset.template.generation': count, ...annotations } = body.metadata.annotations;
  const { annotations: _annotations, ...metadata } = body.metadata;
  if (count === undefined) return body;
  return { ...body, metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) } };
}

function withoutSelfLink(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.metadata) || body.metadata.selfLink === undefined) return body;
  const { selfLink: _selfLink, ...metadata } = body.metadata;
  return { ...body, metadata };
}

const isRepeated = (event: ComparableEvent, before: readonly ComparableEvent[]): boolean => {
  const last = before.findLast(({ object }) => nameOf(object) === nameOf(event.object));
  return event.type === 'MODIFIED' && last !== undefined && isDeepStrictEqual(last.object, event.object);
};

const nameOf = (object: unknown): unknown => (isObject(object) && isObject(object.metadata) ? object.metadata.name : undefined);

/** Refused by both, but ours did not look any further than the headers and the form of the body. */
const isAtTheDoor = ({ real, ours }: Exchange): boolean =>
  real.code >= 400 && (ours.code === 415 || ours.code === 406 || ours.isMalformed === true);

/** The exchange without all that is tolerated. */
export const masked = (exchange: Exchange): Exchange => MASK.reduce((rest, { tolerate }) => tolerate?.(rest) ?? rest, exchange);

/** What a watch of the real server saw, without all that is tolerated; `before` is what was there when it started. */
export function maskedEvents(events: readonly ComparableEvent[], before?: ComparableEvent): readonly ComparableEvent[] {
  const all = MASK.reduce((rest, { tolerateSeen }) => tolerateSeen?.(rest) ?? rest, before ? [before, ...events] : events);
  return before ? all.slice(1) : all;
}

function withItems(ours: Comparable, real: Comparable): Comparable {
  const theirs = itemsOf(real);
  const items = itemsOf(ours)?.map((item, i) => (theirs?.[i] && !('kind' in theirs[i]) ? withoutType(item) : item));
  return items ? { ...ours, body: { ...(ours.body as object), items } } : ours;
}

const itemsOf = ({ body }: Comparable): readonly object[] | undefined =>
  isObject(body) && Array.isArray(body.items) ? (body.items as readonly object[]) : undefined;

function withoutType(item: object): object {
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = item as Record<string, unknown>;
  return rest;
}
