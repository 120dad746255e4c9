import { Link } from '@tanstack/react-router';
import type { Workflow } from '../../../../src/server/contract/index.ts';
import { durationText } from '../../parts/durations.ts';
import type { Column } from '../../parts/list.tsx';
import type { Look } from '../../parts/looks.ts';
import { Tag } from '../../parts/tag.tsx';
import { Ago } from '../../parts/time.tsx';

const LOOKS: Readonly<Record<string, Look>> = { Active: 'success', Disabled: 'quiet', Deprecated: 'warning', Invalid: 'failure' };

export const StatusTag = ({ status }: { readonly status: string }) => <Tag look={LOOKS[status] ?? 'info'}>{status}</Tag>;

export const percent = (share: number | undefined): string => (share === undefined ? '–' : `${Math.round(share * 100)} %`);

/** What the catalogue shows of each workflow. */
export const workflowColumns: readonly Column<Workflow>[] = [
  {
    name: 'Workflow',
    of: ({ name, what }) => (
      <>
        <Link to="/workflows/$name" params={{ name }} className="strong">
          {name}
        </Link>
        <div className="dim">{what}</div>
      </>
    ),
  },
  { name: 'Status', of: ({ status }) => <StatusTag status={status} /> },
  { name: 'Version', of: ({ version }) => version, isExtra: true },
  { name: 'Engine', of: ({ engine }) => engine, isExtra: true },
  { name: 'Runs', of: ({ statistics }) => statistics.runs, isNumber: true },
  { name: 'Success', of: ({ statistics }) => percent(statistics.successRate), isNumber: true },
  { name: 'Score', of: ({ statistics: { averageScore } }) => averageScore?.toFixed(2) ?? '–', isNumber: true, isExtra: true },
  {
    name: 'Takes',
    of: ({ statistics: { medianSeconds } }) => (medianSeconds === undefined ? '–' : durationText(medianSeconds * 1000)),
    isNumber: true,
    isExtra: true,
  },
  { name: 'Last run', of: ({ statistics }) => <Ago at={statistics.lastRunAt} />, isExtra: true },
];
