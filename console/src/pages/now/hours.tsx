import type { Summary } from '../../../../src/server/contract/index.ts';
import { clockTime } from '../../clock.ts';

const WIDTH = 240;
const HEIGHT = 34;

/** One bar per hour. */
export function Hours({ hours }: { readonly hours: Summary['hours'] }) {
  const most = Math.max(1, ...hours.map(({ opened }) => opened));
  const step = WIDTH / 24;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="hours" role="img" aria-label={wordsOf(hours)} preserveAspectRatio="none">
      {hours.map(({ from, opened, failed }, index) => {
        const height = (opened / most) * (HEIGHT - 2);
        return (
          <rect
            key={from}
            x={index * step + 1}
            width={step - 2}
            y={HEIGHT - Math.max(height, 1)}
            height={Math.max(height, 1)}
            data-failed={failed > 0 || undefined}
          >
            <title>{`from ${clockTime(from)}: ${opened} opened, ${failed} failed`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function wordsOf(hours: Summary['hours']): string {
  const opened = hours.reduce((sum, hour) => sum + hour.opened, 0);
  return `${opened} remediations were opened in the last 24 hours`;
}
