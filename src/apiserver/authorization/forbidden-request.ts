import { ApiError } from '../../kube/client/errors.ts';
import type { User } from '../authentication/user.ts';
import { combined, type Attributes } from './attributes.ts';

/** The 403 for an action that a user has no right to, in kube-apiserver's words. */
export function forbiddenRequest(user: User, attributes: Attributes, reason: string): ApiError {
  const why = escaped(cannot(user, attributes)) + (reason === '' ? '' : `: ${reason}`);
  const { group, resource, name } = attributes.kind === 'resource' ? attributes : { group: '', resource: '', name: '' };
  const what = group === '' ? resource : `${resource}.${group}`;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      `${[what, name === '' ? '' : JSON.stringify(name), what === '' ? '' : 'is'].filter((part) => part !== '').join(' ')} forbidden: ${why}`.trimStart(),
    reason: 'Forbidden',
    details: { ...(name !== '' && { name }), ...(group !== '' && { group }), ...(resource !== '' && { kind: resource }) },
    code: 403,
  });
}

function cannot({ username }: User, attributes: Attributes): string {
  const who = `User ${JSON.stringify(username)} cannot ${attributes.verb}`;
  if (attributes.kind === 'path') return `${who} path ${JSON.stringify(attributes.path)}`;
  const { group, namespace } = attributes;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${JSON.stringify(combined(attributes))} in API group ${JSON.stringify(group)} ${where}`;
}

/** kube-apiserver escapes the text as for HTML. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
