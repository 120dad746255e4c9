import type { ApiRequest } from '../../kube/transport.ts';
import { keyIn, type Answer, type ObjectTarget, type Server } from '../server.ts';
import { notFound } from '../status-errors.ts';
import { createObject } from './create.ts';
import { writeOptions } from './options.ts';
import { presented } from './present.ts';
import { readBody } from './read-body.ts';
import { checkName, saveUpdate } from './save-update.ts';

/** PUT: replaces an object, or its status. */
export function update(server: Server, target: ObjectTarget, request: ApiRequest): Answer {
  const { kind, name, namespace } = target;
  const options = writeOptions(request.query ?? {}, 'UpdateOptions');
  const { decoded, warnings } = readBody(kind, request, options);
  checkName(target, decoded.object);
  const stored = server.store.latest(server.store.table(kind.table), keyIn(namespace, name));
  const answer = stored
    ? saveUpdate(server, target, { old: kind.read(stored), object: decoded.object, isPatch: false }, options)
    : createInstead(server, { ...target, object: decoded.object }, options);
  return presented(answer, request, warnings);
}

function createInstead(
  server: Server,
  target: Parameters<typeof createObject>[1] & ObjectTarget,
  options: Parameters<typeof createObject>[2],
): Answer {
  const { kind, name, subresource } = target;
  if (!kind.createOnUpdate || subresource !== undefined) throw notFound(kind, name);
  return createObject(server, target, options);
}
