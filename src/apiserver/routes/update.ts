import type { ApiRequest } from '../../kube/transport.ts';
import type { Stored } from '../object.ts';
import { keyIn, type Answer, type ObjectTarget, type Server } from '../server.ts';
import { badRequest, notFound } from '../status-errors.ts';
import { createObject } from './create.ts';
import { writeOptions } from './options.ts';
import { presenter } from './present.ts';
import { readBody } from './read-body.ts';
import { saveUpdate } from './save-update.ts';

/** PUT: replaces an object, or its status. */
export function update(server: Server, target: ObjectTarget, request: ApiRequest): Answer {
  const { kind, name, namespace } = target;
  const options = writeOptions(request.query ?? {}, 'UpdateOptions');
  const { decoded, warnings } = readBody(kind, request, options);
  const stored = server.store.latest(server.store.table(kind.table), keyIn(namespace, name));
  const answer = stored
    ? saveUpdate(server, target, { old: kind.read(stored), object: decoded.object, isPatch: false }, options)
    : createInstead(server, { ...target, object: decoded.object }, options);
  return { ...answer, body: presenter(request)(answer.body as Stored), ...(warnings.length > 0 && { warnings }) };
}

function createInstead(
  server: Server,
  target: Parameters<typeof createObject>[1] & ObjectTarget,
  options: Parameters<typeof createObject>[2],
): Answer {
  const { kind, name, object, subresource } = target;
  if (object.metadata.name !== undefined && object.metadata.name !== name) {
    throw badRequest(`the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`);
  }
  if (!kind.createOnUpdate || subresource !== undefined) throw notFound(kind, name);
  return createObject(server, target, options);
}
