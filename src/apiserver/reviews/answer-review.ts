import { deepFreeze } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { SYSTEM, type User } from '../authentication/user.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Work } from '../object.ts';
import { placeIn } from '../routes/create.ts';
import { writeOptions } from '../routes/options.ts';
import { readObject } from '../routes/read-object.ts';
import type { ApiAnswer, Server } from '../server.ts';
import { unknownMethod } from '../status-errors.ts';
import { localAccessReview, selfAccessReview, subjectAccessReview } from './access-reviews.ts';
import { REVIEW_KINDS, TOKEN_REQUEST } from './review-kinds.ts';
import { rulesReview } from './rules-review.ts';
import { selfReview } from './self-review.ts';
import { tokenRequest } from './token-request.ts';
import { tokenReview } from './token-review.ts';

/** A decoded review and its sender. */
export interface ReviewRequest {
  readonly object: Work;
  readonly user: User;
  readonly namespace: string | undefined;
  /** The object that a subresource belongs to. */
  readonly name: string | undefined;
}

/** Returns the review with its answer. */
export type ReviewHandler = (server: Server, asked: ReviewRequest) => object;

interface Route {
  readonly kind: Kind;
  readonly review: ReviewHandler;
  readonly namespace?: string;
  readonly name?: string;
}

const ROUTES: ReadonlyMap<string, Route> = new Map(
  (
    [
      [REVIEW_KINDS.TokenReview, tokenReview],
      [REVIEW_KINDS.SelfSubjectReview, selfReview],
      [REVIEW_KINDS.SubjectAccessReview, subjectAccessReview],
      [REVIEW_KINDS.SelfSubjectAccessReview, selfAccessReview],
      [REVIEW_KINDS.LocalSubjectAccessReview, localAccessReview],
      [REVIEW_KINDS.SelfSubjectRulesReview, rulesReview],
    ] as const
  ).map(([kind, review]) => [`${kind.group}/${kind.plural}`, { kind, review }]),
);

const REVIEW_PATH = /^\/apis\/(auth\w+\.k8s\.io)\/v1(?:\/namespaces\/([^/]+))?\/(\w+)$/;
const TOKEN_PATH = /^\/api\/v1\/namespaces\/([^/]+)\/serviceaccounts\/([^/]+)\/token$/;

/** Answers a review, about the identity or the rights of a user; undefined for other requests. */
export function answerReview(server: Server, request: ApiRequest): ApiAnswer | undefined {
  const route = routeOf(server, request.path);
  if (!route) return undefined;
  if (request.method !== 'POST') throw unknownMethod();
  const { kind, review, namespace, name } = route;
  const { decoded, warnings } = readObject(kind, request, writeOptions(request.query ?? {}, 'CreateOptions'));
  if (namespace !== undefined) placeIn(namespace, decoded.object);
  const body = review(server, { object: decoded.object, user: server.user ?? SYSTEM, namespace, name });
  return { code: 201, body: deepFreeze(body), ...(warnings.length > 0 && { warnings }) };
}

function routeOf(server: Server, path: string): Route | undefined {
  if (path.startsWith('/apis/auth')) return reviewRoute(path);
  const [, namespace, name] = path.endsWith('/token') ? (TOKEN_PATH.exec(path) ?? []) : [];
  if (namespace === undefined || name === undefined || !server.authority.authenticator.accounts) return undefined;
  return { kind: TOKEN_REQUEST, review: tokenRequest, namespace, name };
}

function reviewRoute(path: string): Route | undefined {
  const [, group, namespace, plural] = REVIEW_PATH.exec(path) ?? [];
  const route = ROUTES.get(`${group}/${plural}`);
  if (!route || route.kind.namespaced !== (namespace !== undefined)) return undefined;
  return namespace === undefined ? route : { ...route, namespace };
}
