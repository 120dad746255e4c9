import type { ApiRequest } from '../../kube/client/transport.ts';
import { keyIn, type ApiAnswer, type ObjectTarget, type Server } from '../server.ts';
import { notFound } from '../status-errors.ts';
import { presenter } from './present.ts';

/** GET of one object. */
export function handleGet(server: Server, { kind, namespace, name }: ObjectTarget, request: ApiRequest): ApiAnswer {
  const stored = server.store.table(kind.table).get(keyIn(namespace, name));
  if (!stored) throw notFound(kind, name);
  return { code: 200, body: presenter(request)(kind.read(stored)) };
}
