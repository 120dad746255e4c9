import { absoluteTime, millisecondsOf, useNow } from '../clock.ts';
import { durationText } from './durations.ts';

interface TimeProps {
  readonly at: string | undefined;
}

/** How long ago, with the time itself on hover. */
export function Ago({ at }: TimeProps) {
  const now = useNow();
  if (at === undefined) return <span>–</span>;
  const passed = now - millisecondsOf(at);
  const text = passed < -1000 ? `in ${durationText(-passed)}` : `${durationText(passed)} ago`;
  return <Instant at={at}>{text}</Instant>;
}

/** How long until a limit, in a colour that grows urgent. */
export function Countdown({ at }: TimeProps) {
  const now = useNow();
  if (at === undefined) return <span>no limit</span>;
  const left = millisecondsOf(at) - now;
  return (
    <Instant at={at}>
      <span className="countdown" data-urgency={urgency(left)}>
        {left <= 0 ? 'expired' : `${durationText(left)} left`}
      </span>
    </Instant>
  );
}

/** How long something took, or takes so far. */
export function Took({ from, to }: { readonly from: string | undefined; readonly to: string | undefined }) {
  const now = useNow();
  if (from === undefined) return <span>–</span>;
  return <span className="figures">{durationText((to === undefined ? now : millisecondsOf(to)) - millisecondsOf(from))}</span>;
}

function Instant({ at, children }: { readonly at: string; readonly children: React.ReactNode }) {
  return (
    <time dateTime={at} title={absoluteTime(at)} className="figures">
      {children}
    </time>
  );
}

const HOUR_MS = 3_600_000;

function urgency(left: number): 'now' | 'soon' | undefined {
  if (left < HOUR_MS / 6) return 'now';
  return left < HOUR_MS ? 'soon' : undefined;
}
