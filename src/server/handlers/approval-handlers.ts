import type { ObjectKey } from '../../api/meta.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Handlers } from '../api/handler-types.ts';
import type { Approval } from '../contract/index.ts';
import { approvalView } from '../views/approval-view.ts';
import { pageFrom, sortedBy, type Order } from '../views/page.ts';
import type { ApiParts, ApiStores } from './api-parts.ts';

type ApprovalHandlers = Pick<Handlers, 'listApprovals' | 'getApproval' | 'decideApproval'>;

/** Approvals: what waits, and decisions, which are written with the rights of the caller. */
export function approvalHandlers({ stores, namespace, actions }: ApiParts): ApprovalHandlers {
  const named = (name: string): Approval => {
    const approval = approvalNamed(stores, { namespace, name });
    if (!approval) throw new ApiProblem(404, `there is no RemediationApprovalRequest ${name}`);
    return approval;
  };
  return {
    listApprovals({ state = 'Pending', remediation, ...page }) {
      const wanted = allApprovals(stores).filter(
        (each) => (state === 'all' || each.state === state) && (remediation === undefined || each.remediation === remediation),
      );
      const order: Order<Approval> = {
        id: JSON.stringify([state, remediation]),
        isDescending: false,
        key: ({ requiredBy }) => requiredBy,
        name: ({ name }) => name,
      };
      return pageFrom(sortedBy(wanted, order), page, order);
    },
    getApproval: ({ name }) => named(name),
    decideApproval({ name, body }, caller) {
      const { planDigest, ...decision } = body;
      demandPlan(named(name), planDigest);
      return caller.as((asCaller) => actions.decide(asCaller, name, decision));
    },
  };
}

/** Every approval, decided ones included. */
export const allApprovals = (stores: ApiStores): readonly Approval[] => stores.approvals.list().map((approval) => viewOf(approval, stores));

/** One approval; undefined where it does not exist. */
export function approvalNamed(stores: ApiStores, key: ObjectKey): Approval | undefined {
  const approval = stores.approvals.get(key);
  return approval && viewOf(approval, stores);
}

function viewOf(approval: Parameters<typeof approvalView>[0], { requests }: ApiStores): Approval {
  const { namespace = '' } = approval.metadata;
  return approvalView(approval, requests.get({ namespace, name: approval.spec.remediationRequestRef.name ?? '' }));
}

/** An approver decides about the plan that was shown, and no other. */
function demandPlan({ name, planDigest: now }: Approval, shown: string | undefined): void {
  if (shown !== undefined && shown !== now)
    throw new ApiProblem(409, `nothing was decided: the plan of ${name} is no longer the one that was shown. Read it again`);
}
