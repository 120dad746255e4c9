import { isTerminal } from '../api/phases.ts';
import { remediationPhases } from '../api/remediation-request/phases.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { askList, type KubeClient, type Read } from '../kube/index.ts';

/** How many requests may be open at once. */
export interface OpenLimit {
  readonly limit: number;
  /** How many of them may be about one namespace. */
  readonly share: number;
  /** How many are open; read once and then kept count of, so that a webhook of many alerts costs one list. */
  open(namespace: string): Promise<Exclude<Read<OpenCount>, { readonly kind: 'absent' }>>;
  opened(namespace: string): void;
}

/** How many are open in all, and about one namespace; of what has none there is no share. */
export interface OpenCount {
  readonly all: number;
  readonly here: number;
}

interface OpenLimits {
  /** Namespace of the requests. */
  readonly namespace: string;
  readonly limit: number;
  readonly share: number;
}

/** Counts for one webhook. Several at once may each take the last slot: the limit protects the system and is not exact. */
export function openLimit(client: KubeClient, { namespace, limit, share }: OpenLimits): OpenLimit {
  let open: Map<string, number> | undefined;
  let all = 0;
  const count = (about: string): void => {
    all++;
    open?.set(about, (open.get(about) ?? 0) + 1);
  };
  return {
    limit,
    share,
    async open(about) {
      if (!open) {
        const listed = await askList(client, RemediationRequest, { namespace });
        if (listed.kind === 'unreadable') return listed;
        open = new Map();
        for (const request of listed.value.filter(isOpen)) count(request.spec.targetResource?.namespace ?? '');
      }
      return { kind: 'value', value: { all, here: about === '' ? 0 : (open.get(about) ?? 0) } };
    },
    opened: count,
  };
}

const isOpen = ({ status }: RemediationRequest): boolean => !isTerminal(remediationPhases, status?.overallPhase);
