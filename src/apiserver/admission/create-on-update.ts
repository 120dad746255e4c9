import { onResource } from '../authorization/attributes.ts';
import { forbiddenRequest } from '../authorization/forbidden-request.ts';
import { ALLOW, type Admission } from './admission.ts';

/** Who replaces what is not there creates it, and needs the right to. */
export const createOnUpdate: Admission = ({ user, operation, target }, { authorizer }) => {
  const { kind, namespace = '', name } = target;
  if (operation !== 'CREATE' || name === undefined) return ALLOW;
  const attributes = onResource({ verb: 'create', group: kind.group, resource: kind.plural, namespace, name });
  const verdict = authorizer.authorize(user, attributes);
  return verdict.allowed ? ALLOW : { kind: 'deny', error: forbiddenRequest(user, attributes, verdict.reason) };
};
