import type { ApiRequest } from '../../kube/client/transport.ts';
import { keyIn, type Answer, type ObjectTarget, type Server } from '../server.ts';
import { notFound } from '../status-errors.ts';
import { presenter } from './present.ts';

/** GET of one object. */
export function get(server: Server, { kind, namespace, name }: ObjectTarget, request: ApiRequest): Answer {
  const stored = server.store.table(kind.table).get(keyIn(namespace, name));
  if (!stored) throw notFound(kind, name);
  return { code: 200, body: presenter(request)(kind.read(stored)) };
}
