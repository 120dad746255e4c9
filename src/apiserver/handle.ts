import type { ApiRequest } from '../kube/client/transport.ts';
import { answerReview } from './reviews/answer-review.ts';
import { create } from './routes/create.ts';
import { findTarget } from './routes/find-target.ts';
import { evict } from './routes/evict.ts';
import { get } from './routes/get.ts';
import { list } from './routes/list.ts';
import { log } from './routes/log.ts';
import { checkTimeout } from './routes/options.ts';
import { patch } from './routes/patch.ts';
import { remove, removeMany } from './routes/remove.ts';
import { scale } from './routes/scale.ts';
import { update } from './routes/update.ts';
import type { Answer, ObjectTarget, Server, Target } from './server.ts';
import { badRequest, noSuchResource, unknownMethod } from './status-errors.ts';
import { asTable, includeObjectOf, kindColumns, scaleColumns } from './tables/index.ts';

const NONE = {};

/** Answers one request other than a watch; throws an ApiError for refusals. */
export function handle(server: Server, request: ApiRequest): Answer {
  checkTimeout(request.query ?? NONE);
  const document = request.method === 'GET' ? server.documents.at(request.path) : undefined;
  if (document) return document(request.accept);
  const review = answerReview(server, request);
  if (review) return review;
  const target = findTarget(server.registry, request.path);
  const answer = inForm(server, target, request, answerFor(server, target, request));
  const { deprecation } = target.kind;
  return deprecation === undefined ? answer : { ...answer, warnings: [deprecation, ...(answer.warnings ?? [])] };
}

function answerFor(server: Server, target: Target, request: ApiRequest): Answer {
  if (target.subresource === 'scale') return scale(server, one(target), request);
  if (target.subresource === 'eviction') return evict(server, one(target), request);
  return target.subresource === 'log' ? log(server, one(target), request) : dispatch(server, target, request);
}

/** The answer as a table where the request asks for one. */
function inForm(server: Server, { kind, subresource }: Target, request: ApiRequest, answer: Answer): Answer {
  if (request.accept !== 'table' || subresource === 'log' || subresource === 'eviction') return answer;
  const includeObject = includeObjectOf(request.query?.['includeObject']);
  const columns = subresource === 'scale' ? scaleColumns : kindColumns(kind);
  const body = asTable(answer.body, { columns, includeObject, now: server.clock.now(), headers: true });
  return { ...answer, body };
}

function dispatch(server: Server, target: Target, request: ApiRequest): Answer {
  switch (request.method) {
    case 'GET':
      return isOne(target) ? get(server, target, request) : list(server, target, request);
    case 'POST':
      return create(server, placed(target), request);
    case 'PUT':
      return update(server, one(target), request);
    case 'PATCH':
      return patch(server, one(target), request);
    case 'DELETE':
      return isOne(target) ? remove(server, target, request) : removeMany(server, placed(target), request);
  }
}

const isOne = (target: Target): target is ObjectTarget => target.name !== undefined;

function one(target: Target): ObjectTarget {
  if (isOne(target)) return target;
  throw target.kind.strategicMerge ? unknownMethod() : badRequest('name must be provided');
}

/** Across all namespaces only reads are possible. */
function placed(target: Target): Target {
  const { kind, namespace } = target;
  if (kind.namespaced && namespace === undefined) throw kind.strategicMerge ? unknownMethod() : noSuchResource();
  return target;
}
