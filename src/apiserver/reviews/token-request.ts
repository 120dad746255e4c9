import type { TokenRequest } from '../../kube/builtin/index.ts';
import { after, isObject, SECOND, toTime, type Instant } from '../../base/index.ts';
import { BOUND_KINDS, type BoundObject, type BoundKind, type NamedObject } from '../authentication/account-claims.ts';
import { boundObject } from '../authentication/account-tokens.ts';
import { AUDIENCES } from '../authentication/authenticator.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import type { Stored } from '../object.ts';
import { keyIn, type Server } from '../server.ts';
import { badRequest, conflict, invalid, notFound } from '../status-errors.ts';
import type { ReviewRequest, ReviewHandler } from './answer-review.ts';
import { TOKEN_REQUEST } from './review-kinds.ts';

type Spec = TokenRequest['spec'];
type Reference = NonNullable<Spec['boundObjectRef']>;

const DEFAULT_SECONDS = 3600;
const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;

/** TokenRequest: issues a token of the account. */
export const tokenRequest: ReviewHandler = (server, review) => {
  const { namespace = '', name = '', object } = review;
  const account = accountFor(server, review);
  const { audiences = [], expirationSeconds = DEFAULT_SECONDS, boundObjectRef } = (object.spec ?? {}) as Spec;
  checkSeconds(expirationSeconds);
  const meant = audiences.length > 0 ? audiences : AUDIENCES;
  const bound = boundObjectRef && boundTo(server, review, boundObjectRef);
  const now = server.clock.now();
  const token = server.authority.authenticator.accounts!.issue({
    audiences: meant,
    issuedAt: seconds(now),
    notBefore: seconds(now),
    expiresAt: seconds(now) + expirationSeconds,
    id: server.random.uuid(),
    namespace,
    account: { name, uid: account.metadata.uid },
    ...bound,
  });
  return {
    ...object,
    metadata: { ...object.metadata, name, namespace, uid: account.metadata.uid, creationTimestamp: toTime(now) },
    spec: { audiences: meant, expirationSeconds, boundObjectRef: boundObjectRef ?? null },
    status: { token, expirationTimestamp: toTime(after(now, expirationSeconds * SECOND)) },
  };
};

const seconds = (at: Instant): number => Math.floor(at / SECOND);

function accountFor({ store }: Server, { namespace = '', name = '', object }: ReviewRequest): Stored {
  const { name: said = name } = object.metadata;
  if (said !== name) {
    throw invalid(TOKEN_REQUEST, name, [invalidValue('metadata.name', said, 'must match the service account name if specified')]);
  }
  const account = store.table('/serviceaccounts').get(keyIn(namespace, name));
  if (!account) throw notFound({ group: '', kind: 'ServiceAccount', plural: 'serviceaccounts' }, name);
  return account;
}

function checkSeconds(given: number): void {
  const refuse = (why: string): FieldError => invalidValue('spec.expirationSeconds', given, why);
  if (given < SHORTEST_SECONDS) throw invalid(TOKEN_REQUEST, '', [refuse('may not specify a duration less than 10 minutes')]);
  if (given > LONGEST_SECONDS) throw invalid(TOKEN_REQUEST, '', [refuse('may not specify a duration larger than 2^32 seconds')]);
}

/** The object to bind the token to; it must exist, with the UID of the request. */
function boundTo(
  server: Server,
  { namespace = '', name: account }: ReviewRequest,
  reference: Reference,
): { bound: BoundObject; node?: NamedObject } {
  const kind = boundKind(reference);
  const { name = '' } = reference;
  const found = boundObject(server.store, namespace, { kind, name });
  if (!found) throw notFound({ group: '', kind, plural: `${kind.toLowerCase()}s` }, name);
  if (kind === 'Pod' && specOf(found).serviceAccountName !== account) {
    throw badRequest(`cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`);
  }
  checkUid({ kind, name, uid: found.metadata.uid }, reference);
  const node = kind === 'Pod' ? nodeOf(server, found) : undefined;
  return { bound: { kind, name, uid: found.metadata.uid }, ...(node && { node }) };
}

function checkUid({ kind, name, uid: actual }: BoundObject, { uid = '' }: Reference): void {
  if (uid === '' || uid === actual) return;
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: '', kind, plural: kind }, name, why);
}

function boundKind({ apiVersion = '', kind = '' }: Reference): BoundKind {
  const known = BOUND_KINDS.find((candidate) => candidate === kind);
  if (known && !apiVersion.includes('/')) return known;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

const specOf = ({ spec }: Stored): Readonly<Record<string, unknown>> => (isObject(spec) ? spec : {});

function nodeOf({ store }: Server, pod: Stored): NamedObject | undefined {
  const { nodeName } = specOf(pod);
  const node = typeof nodeName === 'string' && nodeName !== '' ? store.table('/nodes').get(nodeName) : undefined;
  return node && { name: node.metadata.name, uid: node.metadata.uid };
}
