import type { ApiRequest } from '../../kube/client/transport.ts';
import { typeError } from '../kinds/custom-kind.ts';
import { keyIn, type ApiAnswer, type ObjectTarget, type Server } from '../server.ts';
import { conflict, notFound } from '../status-errors.ts';
import { createObject, type Creation } from './create.ts';
import { writeOptions, type ParsedWriteOptions } from './options.ts';
import { presented } from './present.ts';
import { readObject } from './read-object.ts';
import { checkForm, checkName, saveUpdate } from './save-update.ts';

/** PUT: replaces an object, or its status. */
export function handleUpdate(server: Server, target: ObjectTarget, request: ApiRequest): ApiAnswer {
  const { kind, name, namespace } = target;
  const options = writeOptions(request.query ?? {}, 'UpdateOptions');
  const { decoded, warnings } = readObject(kind, request, options);
  checkName(target, decoded.object);
  const stored = server.store.latest(server.store.table(kind.table), keyIn(namespace, name));
  const mistaken = typeError(kind, request.body);
  const answer = stored
    ? saveUpdate(server, target, { old: kind.read(stored), object: decoded.object, mistaken, isPatch: false }, options)
    : createInstead(server, { ...target, object: decoded.object }, options);
  return presented(answer, request, warnings);
}

function createInstead(server: Server, target: Creation & ObjectTarget, options: ParsedWriteOptions): ApiAnswer {
  const { kind, name, subresource, object } = target;
  if (!kind.createOnUpdate || subresource !== undefined) throw notFound(kind, name);
  const { uid, resourceVersion = '' } = object.metadata;
  if (uid !== undefined) throw conflict(kind, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: `);
  checkForm(resourceVersion);
  return createObject(server, { ...target, isPut: true }, options);
}
