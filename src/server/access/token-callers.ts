import { createHash } from 'node:crypto';
import { TokenReview, type UserInfo } from '../../kube/builtin/index.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { after, PlatformError, type Clock, type Instant } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { Transport } from '../../kube/client/transport.ts';
import { BELIEVED_MS, type AccessReviews } from './access-reviews.ts';
import type { Caller, CallerHints, Callers } from './caller.ts';

/** What is needed to know users by their tokens. */
export interface TokenOptions {
  /** With the rights of Sickbay, which may have tokens reviewed. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly reviews: AccessReviews;
  /** To the Kubernetes API with a token of a user. */
  readonly connect: (token: string) => Transport & { close(): Promise<void> };
}

/** More tokens than users at a time; the oldest is reviewed again. */
const MOST_KEPT = 1_000;

/** Everyone who reaches the port can have a token reviewed, and the Lease of the leader goes to the same API server: more have to wait. */
const MOST_REVIEWS = 8;

/** Longer than any token: what is larger is not sent on. */
const LONGEST_TOKEN = 16 * 1024;

/** Knows users by their bearer tokens, which the API server reviews. Only digests of tokens are kept, for a minute. */
export class TokenCallers implements Callers {
  readonly #options: TokenOptions;
  #reviewing = 0;
  readonly #known = new Map<string, { readonly until: Instant; readonly user: Promise<UserInfo | undefined> }>();

  constructor(options: TokenOptions) {
    this.#options = options;
  }

  async callerOf({ headers }: CallerHints): Promise<Caller | undefined> {
    const [, token] = /^Bearer +(\S+)$/i.exec(String(headers['authorization'] ?? '')) ?? [];
    if (token === undefined || token.length > LONGEST_TOKEN) return undefined;
    const user = await this.#userOf(token);
    return user && this.#caller(user, token);
  }

  #userOf(token: string): Promise<UserInfo | undefined> {
    const digest = createHash('sha256').update(token).digest('base64');
    const now = this.#options.clock.now();
    const known = this.#known.get(digest);
    if (known && now < known.until) return known.user;
    if (this.#reviewing >= MOST_REVIEWS) throw tooMany();
    const user = this.#review(token);
    this.#known.delete(digest);
    this.#known.set(digest, { until: after(now, BELIEVED_MS), user });
    user.catch(() => this.#known.delete(digest));
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
    return user;
  }

  async #review(token: string): Promise<UserInfo | undefined> {
    const review = { apiVersion: apiVersionOf(TokenReview), kind: TokenReview.kind, metadata: {}, spec: { token } } as const;
    this.#reviewing += 1;
    try {
      const { status } = await this.#options.client.create(TokenReview, review);
      return status?.authenticated === true ? status.user : undefined;
    } finally {
      this.#reviewing -= 1;
    }
  }

  #caller(user: UserInfo, token: string): Caller {
    const { reviews, connect } = this.#options;
    return {
      user: user.username ?? '',
      groups: user.groups ?? [],
      via: 'token',
      may: (right) => reviews.may(user, right),
      async as(work) {
        const transport = connect(token);
        try {
          return await work(createClient(transport));
        } finally {
          await transport.close();
        }
      },
    };
  }
}

const tooMany = (): PlatformError =>
  new PlatformError('Unavailable', `${MOST_REVIEWS} tokens are being reviewed by the Kubernetes API: send it again in a few seconds`);
