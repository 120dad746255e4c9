import { isTerminal } from '../api/phases.ts';
import { remediationPhases } from '../api/remediation-request/phases.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { askList, type KubeClient, type Read } from '../kube/index.ts';

/** How many requests may be open at once. */
export interface OpenLimit {
  readonly limit: number;
  /** How many are open; read once and then kept count of, so that a webhook of many alerts costs one list. */
  open(): Promise<Exclude<Read<number>, { readonly kind: 'absent' }>>;
  opened(): void;
}

/** Counts for one webhook. Several at once may each take the last slot: the limit protects the system and is not exact. */
export function openLimit(client: KubeClient, { namespace, limit }: { readonly namespace: string; readonly limit: number }): OpenLimit {
  let count: number | undefined;
  return {
    limit,
    async open() {
      if (count !== undefined) return { kind: 'value', value: count };
      const listed = await askList(client, RemediationRequest, { namespace });
      if (listed.kind === 'unreadable') return listed;
      count = listed.value.filter(isOpen).length;
      return { kind: 'value', value: count };
    },
    opened() {
      if (count !== undefined) count++;
    },
  };
}

const isOpen = ({ status }: RemediationRequest): boolean => !isTerminal(remediationPhases, status?.overallPhase);
