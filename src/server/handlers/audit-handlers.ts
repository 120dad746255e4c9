import { given } from '../../base/index.ts';
import { AUDIT_TYPES, MOST_FOUND, type AuditEvent, type AuditType } from '../../store/index.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Handlers } from '../api/handler-types.ts';
import type { RecordedEvent } from '../contract/index.ts';
import { pageFrom, type Order } from '../views/page.ts';
import { refOf } from '../views/remediation-summary.ts';
import { verificationView } from '../views/audit-verification-view.ts';
import type { ApiParts } from './api-parts.ts';

/** The audit trail, the newest events first, and whether it is what was recorded. */
export const auditHandlers = ({
  audit,
  auditState,
}: Pick<ApiParts, 'audit' | 'auditState'>): Pick<Handlers, 'listAudit' | 'getAuditVerification'> => ({
  getAuditVerification: () => verificationView(auditState()),
  async listAudit({ remediation, type, since, ...page }) {
    const types = type === undefined ? undefined : typesIn(type);
    const found = await audit.find({ limit: MOST_FOUND, ...given({ correlationId: remediation, type: types, since }) });
    return pageFrom(found.map(eventView).toReversed(), page, orderOf([remediation, type, since]));
  },
});

/** In the order in which they were recorded: the cursor names one event. */
const orderOf = (filters: unknown): Order<RecordedEvent> => ({
  id: JSON.stringify(filters),
  isDescending: true,
  key: ({ at }) => at,
  name: ({ id }) => id,
});

const eventView = ({ id, type, correlationId, subject, at, data }: AuditEvent): RecordedEvent => ({
  id,
  type,
  at,
  remediation: correlationId,
  object: refOf(subject),
  data,
});

function typesIn(text: string): readonly AuditType[] {
  return text.split(',').map((word) => {
    const type = AUDIT_TYPES.find((known) => known === word.trim());
    if (!type) throw new ApiProblem(400, `type ${JSON.stringify(word.slice(0, 64))} is unknown: known are ${AUDIT_TYPES.join(', ')}`);
    return type;
  });
}
