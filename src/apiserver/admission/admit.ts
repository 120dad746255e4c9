import { onResource } from '../authorization/attributes.ts';
import { forbiddenRequest } from '../authorization/forbidden-request.ts';
import type { Work } from '../object.ts';
import type { Server } from '../server.ts';
import { ALLOW, type AdmissionRequest, type AdmissionRule } from './admission.ts';
import { escalations } from './escalations.ts';

/** An update of an object that does not exist creates it, and needs the right to create. */
const createOnUpdate: AdmissionRule = ({ user, operation, target }, { authorizer }) => {
  const { kind, namespace = '', name } = target;
  if (operation !== 'CREATE' || name === undefined) return ALLOW;
  const attributes = onResource({ verb: 'create', group: kind.group, resource: kind.plural, namespace, name });
  const verdict = authorizer.authorize(user, attributes);
  return verdict.allowed ? ALLOW : { kind: 'deny', error: forbiddenRequest(user, attributes, verdict.reason) };
};

/** They run first, in this order, and then the rules that the server was given. */
const OWN_RULES: readonly AdmissionRule[] = [createOnUpdate, escalations];

/**
 * The object to store; throws the answer to a write that a rule denies. The first rule that denies decides. Writes of this process itself
 * skip the rules; only the service accounts of their pods are filled in.
 */
export function admit(server: Server, request: Omit<AdmissionRequest, 'user'>): Work {
  const { user } = server;
  let object = server.settlePod?.(request) ?? request.object;
  if (!user) return object;
  const context = { authorizer: server.authority.authorizer, now: server.clock.now() };
  for (const rule of [...OWN_RULES, ...server.admissionRules]) {
    const outcome = rule({ ...request, user, object }, context);
    if (outcome.kind === 'deny') throw outcome.error;
    if (outcome.kind === 'mutate') ({ object } = outcome);
  }
  return object;
}
