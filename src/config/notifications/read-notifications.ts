import { RE2JS } from 're2js';
import { HOUR, messageOf } from '../../base/index.ts';
import {
  DEFAULT_NOTIFICATIONS,
  type ChannelKind,
  type ChannelSettings,
  type NotificationReceiver,
  type NotificationRoute,
  type NotificationSettings,
} from '../../controllers/notification-settings.ts';
import { address, CHANNEL_FIELDS, credential, type ReadChannel } from './channel-fields.ts';
import {
  durationField,
  FieldPlace,
  flagField,
  listField,
  mapField,
  optionalField,
  requiredField,
  sectionField,
  textField,
  type FieldProblem,
  type FieldReader,
} from '../field-reader.ts';

/** The section as settings, or everything that is wrong with it; the fields are named from the section on. */
export interface ReadNotifications {
  readonly settings?: NotificationSettings;
  readonly problems: readonly FieldProblem[];
}

/** Reads the section `notifications` of the config file. */
export function readNotifications(raw: unknown): ReadNotifications {
  const problems: FieldProblem[] = [];
  const place = new FieldPlace(['notifications'], problems);
  const read = section(raw, place);
  if (read === undefined || problems.length > 0) return { problems };
  const receivers = read.receivers ?? DEFAULT_NOTIFICATIONS.receivers;
  const route = read.route ?? DEFAULT_NOTIFICATIONS.route;
  demandUnique(receivers, place.in('receivers'));
  demandReceivers(route, new Set(receivers.map(({ name }) => name)), place.in('route'));
  if (problems.length > 0) return { problems };
  return {
    problems,
    settings: {
      route,
      receivers,
      ...(read.consoleUrl !== undefined && { consoleUrl: read.consoleUrl.replace(/\/$/, '') }),
      ...(read.slack && { slack: read.slack }),
    },
  };
}

const oneLine = (most: number): RegExp => new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${most}}$`, 'u');

const receiverName = textField(/^[A-Za-z0-9][-._A-Za-z0-9]{0,62}$/, 'a name: up to 63 letters, digits, dashes, dots and underscores');

const ATTRIBUTE = /^[A-Za-z][-._/A-Za-z0-9]{0,316}$/;
const attribute = textField(ATTRIBUTE, 'the name of an attribute, such as severity');

const pattern: FieldReader<string> = (raw, place) => {
  if (typeof raw !== 'string' || raw.length > 1000) return place.wants(raw, 'a regular expression of at most 1000 characters');
  try {
    RE2JS.compile(raw);
    return raw;
  } catch (error) {
    return place.wants(raw, `a regular expression of RE2: ${messageOf(error)}`);
  }
};

/** YAML makes numbers and flags of what is meant as text. */
const value: FieldReader<string> = (raw, place) =>
  typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : textField(/^[^\p{Cc}\p{Cs}]{0,1000}$/u, 'a text')(raw, place);

const DEEPEST = 20;

const routeFields = sectionField({
  receiver: optionalField(receiverName),
  match: optionalField(mapField(value, ATTRIBUTE, 'the name of an attribute, such as severity')),
  matchRe: optionalField(mapField(pattern, ATTRIBUTE, 'the name of an attribute, such as severity')),
  continue: optionalField(flagField),
  groupBy: optionalField(listField(attribute)),
  groupWait: optionalField(durationField(0, HOUR, 'a duration from 0 to 1h')),
  // Read by `routeUnder`, which knows the receiver to inherit.
  routes: optionalField<unknown>((raw) => raw),
});

/** A route and those below it; a route without a receiver, group or wait has that of its parent. */
const routeUnder =
  (parent: NotificationRoute | undefined, depth: number): FieldReader<NotificationRoute> =>
  (raw, place) => {
    if (depth > DEEPEST) return place.refuse(`is more than ${DEEPEST} levels deep`);
    const read = routeFields(raw, place);
    if (read === undefined) return undefined;
    if (!parent) demandRoot(read, place);
    const own = ownRoute(read, parent);
    const routes = read.routes === undefined ? [] : listField(routeUnder(own, depth + 1))(read.routes, place.in('routes'));
    return routes && { ...own, routes };
  };

/** What a route says, and has from its parent. */
function ownRoute(
  { match = {}, matchRe = {}, ...read }: NonNullable<ReturnType<typeof routeFields>>,
  parent: NotificationRoute = { ...DEFAULT_NOTIFICATIONS.route, receiver: '' },
): NotificationRoute {
  const { receiver = parent.receiver, groupBy = parent.groupBy, groupWait = parent.groupWaitMs } = read;
  return { receiver, match, matchRe, continue: read.continue ?? false, groupBy, groupWaitMs: groupWait, routes: [] };
}

/** As in Alertmanager: the root takes everything, so it has a receiver and no condition. */
function demandRoot(read: NonNullable<ReturnType<typeof routeFields>>, place: FieldPlace): void {
  if (read.receiver === undefined) place.refuse('has no receiver, which the root route needs');
  if (read.match || read.matchRe) place.refuse('has match or matchRe, but the root route takes every notification');
  if (read.continue) place.refuse('has continue, but there is no route after the root route');
}

const channelLists = sectionField(
  Object.fromEntries(Object.entries(CHANNEL_FIELDS).map(([key, read]) => [key, optionalField(listField(read))])),
);

const receiver: FieldReader<NotificationReceiver> = (raw, place) => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return place.wants(raw, 'a map with a name and channels');
  const { name: rawName, ...rest } = raw as Readonly<Record<string, unknown>>;
  const name = rawName === undefined ? place.refuse('has no name, which is required') : receiverName(rawName, place.in('name'));
  const lists = channelLists(rest, place);
  if (name === undefined || lists === undefined) return undefined;
  const channels = Object.entries(lists).flatMap(([key, list]) => named(key, list ?? [], name));
  // None at all is allowed, as in Alertmanager: it drops what it is sent.
  return { name, channels };
};

/** The first of a kind is `slack:oncall`, the next `slack:oncall:1`. The log is one, for all receivers. */
const named = (key: string, list: readonly ReadChannel[], receiverOf: string): readonly ChannelSettings[] =>
  list.flatMap((each, index) => {
    if (each === 'off') return [];
    const kind = key.replace(/Configs$/, '') as ChannelKind;
    const name = kind === 'log' ? kind : `${kind}:${receiverOf}${index === 0 ? '' : `:${index}`}`;
    return [{ ...each, name }];
  });

const slackUser = /^[UW][A-Z0-9]{5,30}$/;

const slackFields = sectionField({
  signingSecret: requiredField(credential),
  teamId: optionalField(textField(/^[TE][A-Z0-9]{5,30}$/, 'the id of a workspace, such as T0123456789')),
  users: requiredField(
    mapField(textField(oneLine(253), 'the name of a Kubernetes user'), slackUser, 'the id of a Slack user, such as U0123456789'),
  ),
});

const slack: FieldReader<NotificationSettings['slack']> = (raw, place) => {
  const read = slackFields(raw, place);
  if (read?.signingSecret === undefined || read.users === undefined) return undefined;
  for (const [id, user] of Object.entries(read.users))
    if (user.startsWith('system:')) place.in('users').in(id).refuse('is an account of Kubernetes itself: wants the name of a person');
  return { signingSecret: read.signingSecret, users: read.users, ...(read.teamId !== undefined && { teamId: read.teamId }) };
};

const section = sectionField({
  consoleUrl: optionalField(address),
  route: optionalField(routeUnder(undefined, 0)),
  receivers: optionalField(listField(receiver, 1)),
  slack: optionalField(slack),
});

function demandUnique(receivers: readonly NotificationReceiver[], place: FieldPlace): void {
  receivers.forEach(({ name }, index) => {
    const first = receivers.findIndex((other) => other.name === name);
    if (first < index) place.in(index).in('name').refuse(`is ${name}, as receivers[${first}] is: wants a name of its own`);
  });
}

function demandReceivers(route: NotificationRoute, known: ReadonlySet<string>, place: FieldPlace, inherited?: string): void {
  // A route that has the receiver of its parent says nothing wrong by itself.
  if (!known.has(route.receiver) && route.receiver !== inherited)
    place.in('receiver').refuse(`is ${route.receiver}, which is no receiver: there are ${[...known].join(', ')}`);
  route.routes.forEach((child, index) => demandReceivers(child, known, place.in('routes').in(index), route.receiver));
}
