import type { FastifyPluginCallback } from 'fastify';
import { DIST_FOLDER } from '../../../console/build/sources.ts';
import { steadyClock, systemClock } from '../../base/index.ts';
import { createClient, type Transport } from '../../kube/index.ts';
import type { UserInfo } from '../../kube/builtin/index.ts';
import {
  AccessReviews,
  ConsolePages,
  createApi,
  linkRoutes,
  LinkSessions,
  openApiRoutes,
  TokenCallers,
  type ApiParts,
  type Caller,
} from '../../server/index.ts';
import type { KeptSessions } from './kept-sessions.ts';
import { peopleActions, type ActionParts } from './people-actions.ts';

/** How people reach the API and the console. */
export interface PeopleOptions {
  /** Of Sickbay. */
  readonly version: string;
  readonly mode: 'local' | 'cluster';
  /** Whom the link that the start prints acts as, with this user's rights; there is no link when absent. */
  readonly link?: {
    readonly user: UserInfo;
    readonly transport: Transport;
    /** Where its sessions are kept for the next run. */
    readonly sessions?: KeptSessions;
  };
  /** To the Kubernetes API with a token of a user. */
  readonly connect: (token: string) => Transport & { close(): Promise<void> };
}

/** The address that opens a session in a browser, once; a new one follows each that is used. */
export interface ConsoleLink {
  current(): string;
  onUsed(listener: () => void): void;
}

/** What it is answered from. */
type Sources = Omit<ActionParts, 'mode' | 'version' | 'clock'> & Pick<ApiParts, 'audit' | 'auditState' | 'journal' | 'log'>;

interface ServedToPeople {
  readonly routes: readonly FastifyPluginCallback[];
  readonly pages: ConsolePages;
  /** Users by their tokens. */
  readonly tokens: TokenCallers;
  /** Undefined where there is no link. */
  linkAt(url: string): ConsoleLink | undefined;
}

/** The API and the console. Callers are known by the session of the link first, then by their token. */
export function servePeople(options: PeopleOptions, sources: Sources): ServedToPeople {
  const { link, connect, version, mode } = options;
  const { client, settings } = sources;
  const clock = systemClock;
  const reviews = new AccessReviews({ client, clock });
  const tokens = new TokenCallers({ client, clock, reviews, connect });
  const sessions = link && new LinkSessions({ clock, caller: linkCaller(link, reviews), ...link.sessions });
  const callers = {
    callerOf: (request: Parameters<LinkSessions['callerOf']>[0]) => sessions?.callerOf(request) ?? tokens.callerOf(request),
  };
  const actions = peopleActions({ ...sources, mode, version, clock });
  const { namespace, executionNamespace } = settings();
  const api = createApi({ ...sources, actions, callers, namespace, executionNamespace, version, clock, steady: steadyClock });
  return {
    routes: [api, openApiRoutes(version), ...(sessions ? [linkRoutes(sessions)] : [])],
    pages: new ConsolePages(DIST_FOLDER),
    tokens,
    linkAt: (url) => sessions && { current: () => url + sessions.path, onUsed: (listener) => void (sessions.onUsed = listener) },
  };
}

function linkCaller({ user, transport }: NonNullable<PeopleOptions['link']>, reviews: AccessReviews): Caller {
  const client = createClient(transport);
  return {
    user: user.username ?? '',
    groups: user.groups ?? [],
    via: 'link',
    may: (right) => reviews.may(user, right),
    as: (work) => work(client),
  };
}
