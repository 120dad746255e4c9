import type { TimelineEvent } from '../../../../src/server/contract/index.ts';
import { clockTime } from '../../clock.ts';
import { Panel } from '../../parts/panel.tsx';
import { targetText } from '../../parts/target.tsx';
import { Ago } from '../../parts/time.tsx';

/** Everything that happened, the oldest first. */
export const Timeline = ({ of }: { readonly of: readonly TimelineEvent[] }) => (
  <Panel title="Timeline">
    <ol className="timeline">
      {of.map((event, index) => (
        <li key={index} data-look={event.look}>
          <div className="timeline-time">
            <span className="figures">{clockTime(event.at)}</span>
            <span className="dim">
              <Ago at={event.at} />
            </span>
          </div>
          <div className="timeline-text">
            <div>
              <span className="strong">{event.title}</span>
              {event.object && (
                <span className="dim timeline-object" title={targetText(event.object)}>
                  {' '}
                  {event.object.kind}
                </span>
              )}
            </div>
            {event.message !== undefined && <div className="dim wrap">{event.message}</div>}
          </div>
        </li>
      ))}
    </ol>
  </Panel>
);
