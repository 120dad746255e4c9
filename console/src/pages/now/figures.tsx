import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Summary } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { durationText } from '../../parts/durations.ts';
import { Hours } from './hours.tsx';

/** The figures on top. Their places are there before they are known: nothing below may move. */
export function Figures() {
  const { data } = useQuery(queries.summary());
  return (
    <section className="figures-bar" aria-label="Figures of the last 24 hours">
      {FIGURES.map(({ name, of, title }) => (
        <div key={name} className="figure" title={title}>
          <div className="figure-value">{data ? of(data) : ' '}</div>
          <div className="figure-name">{name}</div>
        </div>
      ))}
      <Link to="/remediations" search={{}} className="figure figure-wide">
        <Hours hours={data?.hours ?? []} />
        <div className="figure-name">opened per hour, last 24 hours</div>
      </Link>
    </section>
  );
}

function budgetText(budget: Summary['budget']): string {
  if (!budget) return '–';
  return budget.paused === undefined ? `${Math.max(0, budget.perHour - budget.startedInHour)} of ${budget.perHour}` : 'paused';
}

interface Figure {
  readonly name: string;
  readonly title: string;
  readonly of: (summary: Summary) => string;
}

const percent = (share: number | undefined): string => (share === undefined ? '–' : `${Math.round(share * 100)} %`);

const FIGURES: readonly Figure[] = [
  { name: 'open', title: 'Remediations that have not ended', of: ({ remediations }) => String(remediations.active) },
  {
    name: 'remediated',
    title: 'Remediations of the last 24 hours whose fix was verified',
    of: ({ lastDay }) => String(lastDay.remediated),
  },
  {
    name: 'success rate',
    title: 'Remediations whose fix was verified, as a share of those of the last 24 hours that ran a workflow and ended',
    of: ({ lastDay }) => percent(lastDay.successRate),
  },
  {
    name: 'median time to fix',
    title: 'From the signal to the verified fix: the median of the last 24 hours',
    of: ({ lastDay }) => (lastDay.medianSeconds === undefined ? '–' : durationText(lastDay.medianSeconds * 1000)),
  },
  {
    name: 'left of the budget',
    title: 'Actions that may still start in this hour, of those that an hour may have',
    of: ({ budget }) => budgetText(budget),
  },
  {
    name: 'average score',
    title: 'How effective the remediations of the last 24 hours were, from 0 to 1',
    of: ({ lastDay }) => (lastDay.averageScore === undefined ? '–' : lastDay.averageScore.toFixed(2)),
  },
];
