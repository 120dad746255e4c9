import { NotificationRequest, RemediationApprovalRequest, RemediationRequest } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import type { Resource } from '../../src/api/resource.ts';
import { steadyClock, systemClock, toTime, type Instant } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import type { KubeClient } from '../../src/kube/index.ts';

/** A phase that a request entered, and when it was seen there. */
interface Entered {
  readonly phase: string;
  readonly at: Instant;
  readonly message: string;
}

/** What became of one RemediationRequest. */
export interface Course {
  readonly firstSeenAt: Instant;
  readonly phases: readonly Entered[];
  /** As it was last seen. */
  readonly request: RemediationRequest;
}

/** Keeps what happens to the objects of remediations, also after they are deleted. */
export class Book {
  readonly #courses = new Map<string, Course>();
  readonly #approvals = new Map<string, RemediationApprovalRequest>();
  readonly #notifications = new Map<string, NotificationRequest>();
  readonly #beganAt = toTime(systemClock.now());
  readonly #tell: (request: RemediationRequest, entered: Entered) => void;

  constructor(tell: (request: RemediationRequest, entered: Entered) => void) {
    this.#tell = tell;
  }

  /** Follows the objects until the signal aborts. */
  async keep(client: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
    const follow = <T extends KubeObject>(resource: Resource<T>, note: (object: T) => void): Promise<never> =>
      until<T, never>(
        client,
        { resource, namespace },
        (all) => {
          for (const object of all) note(object);
          return undefined;
        },
        signal,
      );
    await Promise.all([
      follow(RemediationRequest, (request) => this.#note(request)),
      follow(RemediationApprovalRequest, (approval) => this.#approvals.set(approval.metadata.name, approval)),
      follow(NotificationRequest, (notification) => this.#notifications.set(notification.metadata.name, notification)),
    ]);
  }

  /** In the order in which they were seen. */
  courses(isWanted: (request: RemediationRequest) => boolean): readonly Course[] {
    return [...this.#courses.values()].filter(({ request }) => isWanted(request));
  }

  approvals(request: string): readonly RemediationApprovalRequest[] {
    return [...this.#approvals.values()].filter(({ spec }) => spec.remediationRequestRef.name === request);
  }

  notifications(request: string): readonly NotificationRequest[] {
    return [...this.#notifications.values()].filter(({ spec }) => spec.remediationRequestRef?.name === request);
  }

  #note(request: RemediationRequest): void {
    // An earlier day's.
    if (request.metadata.creationTimestamp < this.#beganAt) return;
    const at = steadyClock.now();
    const { uid } = request.metadata;
    const { firstSeenAt, phases } = this.#courses.get(uid) ?? { firstSeenAt: at, phases: [] };
    const entered = newPhase(request, phases, at);
    this.#courses.set(uid, { firstSeenAt, request, phases: [...phases, ...entered] });
    for (const each of entered) this.#tell(request, each);
  }
}

function newPhase({ status }: RemediationRequest, earlier: readonly Entered[], at: Instant): readonly Entered[] {
  const { overallPhase: phase, message = '' } = status ?? {};
  return phase === undefined || phase === earlier.at(-1)?.phase ? [] : [{ phase, at, message }];
}
