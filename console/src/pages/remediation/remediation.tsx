import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Remediation } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { SeverityTag, StateTag } from '../../parts/tag.tsx';
import { Target } from '../../parts/target.tsx';
import { Ago, Took } from '../../parts/time.tsx';
import { ApiError } from '../../../../src/client/index.ts';
import { Approval } from './approval.tsx';
import { CancelButton } from './cancel-button.tsx';
import { Cause } from './cause.tsx';
import { Effectiveness } from './effectiveness.tsx';
import { Gates } from './gates.tsx';
import { Messages } from './messages.tsx';
import { Objects } from './objects.tsx';
import { PhasePath } from './phase-path.tsx';
import { Plan } from './plan.tsx';
import { Run } from './run.tsx';
import { SignalFacts } from './signal-facts.tsx';
import { Timeline } from './timeline.tsx';
import { WhatNext } from './what-next.tsx';

/** One remediation whole. */
export function RemediationPage() {
  const { name } = useParams({ from: '/remediations/$name' });
  const { data, error, refetch } = useQuery(queries.remediation(name));
  if (error instanceof ApiError && error.status === 404) return data ? <Deleted of={data} /> : <Unknown name={name} />;
  if (data) return <Whole of={data} />;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the remediation" />;
}

const Unknown = ({ name }: { readonly name: string }) => (
  <Empty title={`There is no remediation ${name}.`}>
    It may have been deleted, or the link may be wrong. <Link to="/remediations">See all remediations</Link>
  </Empty>
);

const Deleted = ({ of }: { readonly of: Remediation }) => (
  <>
    <div className="banner" data-look="info" role="alert">
      This remediation was deleted while you looked at it. Below is what was last known of it.
    </div>
    <Whole of={of} />
  </>
);

const Whole = ({ of }: { readonly of: Remediation }) => (
  <article className="remediation">
    <Head of={of} />
    <PhasePath of={of} />
    {of.approval?.state === 'Pending' && <Approval of={of.approval} />}
    <WhatNext of={of} />
    <div className="columns">
      <div>
        {of.analysis && <Cause of={of.analysis} cause={of.summary.cause} />}
        {of.plan && <Plan of={of.plan} />}
        {of.approval && of.approval.state !== 'Pending' && <Approval of={of.approval} />}
        {of.execution && <Run of={of.execution} remediation={of.summary.name} />}
        {of.assessment && <Effectiveness of={of.assessment} remediation={of.summary.name} />}
        <Gates of={of.gates} isOver={of.summary.completedAt !== undefined} />
      </div>
      <div>
        <Timeline of={of.timeline} />
        <SignalFacts of={of} />
        <Messages of={of.notifications} />
        <Objects remediation={of.summary.name} />
      </div>
    </div>
  </article>
);

function Head({ of: { summary, mayCancel } }: { readonly of: Remediation }) {
  const { signal, severity, target, startedAt, completedAt, createdAt } = summary;
  return (
    <header className="remediation-head">
      <p className="crumbs">
        <Link to="/remediations">Remediations</Link> / <bdi>{summary.name}</bdi>
      </p>
      <div className="page-head">
        <h1>
          <bdi>{signal.name}</bdi>
        </h1>
        <StateTag of={summary} />
        <SeverityTag severity={severity} />
        <div className="page-actions">{mayCancel && <CancelButton name={summary.name} />}</div>
      </div>
      <p>
        <Target of={target} />
        <span className="dim">
          {' · '}opened <Ago at={createdAt} />
          {' · '}
          {completedAt === undefined ? 'running for ' : 'took '}
          <Took from={startedAt ?? createdAt} to={completedAt} />
        </span>
      </p>
      {summary.message !== undefined && <p className="lead">{summary.message}</p>}
    </header>
  );
}
