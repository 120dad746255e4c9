import { isObject, type JsonObject } from '../../base/index.ts';
import { accountUsername } from './user.ts';

/** The claims of a ServiceAccount's token. Times are in seconds. */
export interface AccountClaims {
  readonly audiences: readonly string[];
  readonly issuedAt: number;
  readonly notBefore: number;
  readonly expiresAt: number;
  /** Identifies the token (`jti`). */
  readonly id: string;
  readonly namespace: string;
  readonly account: NamedObject;
  /** The object that the token is bound to: the token is invalid once the object is deleted. */
  readonly bound?: BoundObject;
  /** The node of the pod that it is bound to. */
  readonly node?: NamedObject;
}

export interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/** An object that a token is bound to. */
export interface BoundObject extends NamedObject {
  readonly kind: BoundKind;
}

export type BoundKind = (typeof BOUND_KINDS)[number];
export const BOUND_KINDS = ['Pod', 'Secret', 'Node'] as const;

/** The issuer of tokens, and their audience when the request names none. */
export const ISSUER = 'https://kubernetes.default.svc';

/** The claims in the form of a JWT. */
export const writeAccountClaims = (claims: AccountClaims): JsonObject => ({
  aud: claims.audiences,
  exp: claims.expiresAt,
  iat: claims.issuedAt,
  iss: ISSUER,
  jti: claims.id,
  'kubernetes.io': {
    namespace: claims.namespace,
    ...(claims.node && { node: named(claims.node) }),
    ...(claims.bound && { [claims.bound.kind.toLowerCase()]: named(claims.bound) }),
    serviceaccount: named(claims.account),
  },
  nbf: claims.notBefore,
  sub: accountUsername({ namespace: claims.namespace, name: claims.account.name }),
});

const named = ({ name, uid }: NamedObject): NamedObject => ({ name, uid });

/** Reads the claims of a signed token; undefined for claims that this server does not issue. */
export function readAccountClaims(raw: JsonObject): AccountClaims | undefined {
  const ours = raw['kubernetes.io'];
  const { aud, jti, iss, sub } = raw;
  const times = readTimes(raw);
  if (iss !== ISSUER || !isObject(ours) || !times || !isTexts(aud) || !isText(jti)) return undefined;
  const account = readNamed(ours['serviceaccount']);
  const { namespace } = ours;
  if (!account || !isText(namespace) || sub !== accountUsername({ namespace, name: account.name })) return undefined;
  return { ...times, audiences: aud, id: jti, namespace, account, ...readBinding(ours) };
}

function readTimes({ exp, iat, nbf }: JsonObject): Pick<AccountClaims, 'expiresAt' | 'issuedAt' | 'notBefore'> | undefined {
  return isNumber(exp) && isNumber(iat) && isNumber(nbf) ? { expiresAt: exp, issuedAt: iat, notBefore: nbf } : undefined;
}

function readBinding(ours: JsonObject): Pick<AccountClaims, 'bound' | 'node'> {
  const bound = readBound(ours);
  const node = bound?.kind === 'Pod' ? readNamed(ours['node']) : undefined;
  return { ...(bound && { bound }), ...(node && { node }) };
}

function readBound(ours: JsonObject): BoundObject | undefined {
  for (const kind of BOUND_KINDS) {
    const found = readNamed(ours[kind.toLowerCase()]);
    if (found) return { kind, ...found };
  }
  return undefined;
}

function readNamed(value: unknown): NamedObject | undefined {
  const { name, uid } = isObject(value) ? value : {};
  return isText(name) && isText(uid) ? { name, uid } : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.length > 0 && value.every(isText);
const isNumber = (value: unknown): value is number => typeof value === 'number';
