import { SubjectAccessReview, type UserInfo } from '../../kube/builtin/index.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { after, MINUTE, type Clock, type Instant } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { Right } from './caller.ts';

/** How long an answer of the API server is believed. */
export const BELIEVED_MS = MINUTE;

/** More answers than users with a page open; the oldest is asked for again. */
const MOST_KEPT = 10_000;

/** Asks the API server what users may do, by SubjectAccessReview, and keeps each answer for a minute. */
export class AccessReviews {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #answers = new Map<string, { readonly until: Instant; readonly allowed: Promise<boolean> }>();

  /** @param client with the rights of Sickbay, which may ask about others */
  constructor({ client, clock }: { readonly client: KubeClient; readonly clock: Clock }) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Rejects when the API server cannot be asked. */
  may(user: UserInfo, right: Right): Promise<boolean> {
    const key = JSON.stringify([user, right]);
    const now = this.#clock.now();
    const known = this.#answers.get(key);
    if (known && now < known.until) return known.allowed;
    const allowed = this.#ask(user, right);
    this.#answers.delete(key);
    this.#answers.set(key, { until: after(now, BELIEVED_MS), allowed });
    allowed.catch(() => this.#answers.delete(key));
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_KEPT && oldest !== undefined) this.#answers.delete(oldest);
    return allowed;
  }

  async #ask({ username = '', uid, groups, extra }: UserInfo, right: Right): Promise<boolean> {
    const { status } = await this.#client.create(SubjectAccessReview, {
      apiVersion: apiVersionOf(SubjectAccessReview),
      kind: SubjectAccessReview.kind,
      metadata: {},
      spec: {
        user: username,
        ...(uid !== undefined && { uid }),
        ...(groups && { groups }),
        ...(extra && { extra }),
        resourceAttributes: right,
      },
    });
    return status?.allowed === true;
  }
}
