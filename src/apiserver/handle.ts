import type { ApiRequest } from '../kube/client/transport.ts';
import { answerReview } from './reviews/answer-review.ts';
import { handleCreate } from './routes/create.ts';
import { findApiTarget } from './routes/find-target.ts';
import { handleEviction } from './routes/evict.ts';
import { handleGet } from './routes/get.ts';
import { handleList } from './routes/list.ts';
import { handleLog } from './routes/log.ts';
import { checkTimeout } from './routes/options.ts';
import { handlePatch } from './routes/patch.ts';
import { handleDelete, handleDeleteCollection } from './routes/remove.ts';
import { handleScale } from './routes/scale.ts';
import { handleUpdate } from './routes/update.ts';
import type { ApiAnswer, ObjectTarget, Server, ApiTarget } from './server.ts';
import { badRequest, noSuchResource, unknownMethod } from './status-errors.ts';
import { asTable, includeObjectOf, kindColumns, scaleColumns } from './tables/index.ts';

const NONE = {};

/** Answers one request other than a watch; throws an ApiError for refusals. */
export function handle(server: Server, request: ApiRequest): ApiAnswer {
  checkTimeout(request.query ?? NONE);
  const document = request.method === 'GET' ? server.documents.at(request.path) : undefined;
  if (document) return document(request.accept);
  const review = answerReview(server, request);
  if (review) return review;
  const target = findApiTarget(server.registry, request.path);
  const answer = inForm(server, target, request, answerFor(server, target, request));
  const { deprecation } = target.kind;
  return deprecation === undefined ? answer : { ...answer, warnings: [deprecation, ...(answer.warnings ?? [])] };
}

function answerFor(server: Server, target: ApiTarget, request: ApiRequest): ApiAnswer {
  if (target.subresource === 'scale') return handleScale(server, one(target), request);
  if (target.subresource === 'eviction') return handleEviction(server, one(target), request);
  return target.subresource === 'log' ? handleLog(server, one(target), request) : dispatch(server, target, request);
}

/** The answer as a table where the request asks for one. */
function inForm(server: Server, { kind, subresource }: ApiTarget, request: ApiRequest, answer: ApiAnswer): ApiAnswer {
  if (request.accept !== 'table' || subresource === 'log' || subresource === 'eviction') return answer;
  const includeObject = includeObjectOf(request.query?.['includeObject']);
  const columns = subresource === 'scale' ? scaleColumns : kindColumns(kind);
  const body = asTable(answer.body, { columns, includeObject, now: server.clock.now(), headers: true });
  return { ...answer, body };
}

function dispatch(server: Server, target: ApiTarget, request: ApiRequest): ApiAnswer {
  switch (request.method) {
    case 'GET':
      return isOne(target) ? handleGet(server, target, request) : handleList(server, target, request);
    case 'POST':
      return handleCreate(server, placed(target), request);
    case 'PUT':
      return handleUpdate(server, one(target), request);
    case 'PATCH':
      return handlePatch(server, one(target), request);
    case 'DELETE':
      return isOne(target) ? handleDelete(server, target, request) : handleDeleteCollection(server, placed(target), request);
  }
}

const isOne = (target: ApiTarget): target is ObjectTarget => target.name !== undefined;

function one(target: ApiTarget): ObjectTarget {
  if (isOne(target)) return target;
  throw target.kind.strategicMerge ? unknownMethod() : badRequest('name must be provided');
}

/** Across all namespaces only reads are possible. */
function placed(target: ApiTarget): ApiTarget {
  const { kind, namespace } = target;
  if (kind.namespaced && namespace === undefined) throw kind.strategicMerge ? unknownMethod() : noSuchResource();
  return target;
}
