/** Whether a request may send signals. */
export type SenderVerdict =
  | { readonly kind: 'allowed' }
  /** No token, or one that is not known. */
  | { readonly kind: 'unknown'; readonly why: string }
  /** The user is known, and lacks the right. */
  | { readonly kind: 'forbidden'; readonly why: string }
  /** It cannot be found out now. */
  | { readonly kind: 'unavailable'; readonly why: string };

/** Decides who may send signals. Neither verdicts nor errors hold a token. */
export interface Senders {
  /** @param authorization the header of the request */
  judge(authorization: string | undefined): Promise<SenderVerdict>;
}

/** The token of a header; undefined where it has none. */
export const bearerToken = (authorization: string | undefined): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

export const NO_TOKEN: SenderVerdict = {
  kind: 'unknown',
  why: 'signals need a bearer token, in the header Authorization: set http_config.authorization in the receiver of Alertmanager, or the authorization header of the contact point in Grafana',
};
