import type { SignalJournal, SignalRecord } from '../../store/index.ts';
import type { Handlers } from '../api/handler-types.ts';
import type { Signal } from '../contract/index.ts';
import { pageFrom, type Order } from '../views/page.ts';

/** The signals that this process received. */
export const signalHandlers = (journal: SignalJournal): Pick<Handlers, 'listSignals'> => ({
  listSignals({ verdict, remediation, search, ...page }) {
    const text = search?.toLowerCase() ?? '';
    const items = journal
      .newestFirst()
      .filter(
        (record) =>
          (verdict === undefined || record.verdict === verdict) &&
          (remediation === undefined || record.remediation === remediation) &&
          (text === '' || `${record.name ?? ''} ${record.message}`.toLowerCase().includes(text)),
      );
    const { items: records, ...rest } = pageFrom(items, page, orderOf([verdict, remediation, text]));
    return { items: records.map(signalView), ...rest };
  },
});

/** Numbers as texts of one length, so that texts compare like numbers. */
const orderOf = (filters: unknown): Order<SignalRecord> => ({
  id: JSON.stringify(filters),
  isDescending: true,
  key: ({ number }) => String(number).padStart(16, '0'),
  name: () => '',
});

const signalView = ({ number, verdict, ...record }: SignalRecord): Signal => ({
  id: String(number),
  verdict: verdict as Signal['verdict'],
  ...record,
});
