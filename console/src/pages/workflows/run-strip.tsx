import type { RemediationSummary } from '../../../../src/server/contract/index.ts';
import { absoluteTime } from '../../clock.ts';
import { stateOf } from '../../parts/looks.ts';
import { endedInOrder, wordsOf } from './ended-in-order.ts';

const WIDTH = 240;
const HEIGHT = 40;
const MOST = 60;
/** What has no score, or one of 0, is there too. */
const LEAST_HEIGHT = 3;

/** The last remediations with a workflow in the order of time: as high as their score, in the colour of how they ended. */
export function RunStrip({ of }: { readonly of: readonly RemediationSummary[] }) {
  const ended = endedInOrder(of).slice(-MOST);
  if (ended.length === 0) return undefined;
  const step = WIDTH / Math.max(ended.length, 30);
  return (
    <figure className="run-strip">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={wordsOf(ended)} preserveAspectRatio="none">
        {ended.map((row, index) => {
          const height = Math.max(LEAST_HEIGHT, (row.score ?? 0) * HEIGHT);
          return (
            <rect key={row.uid} x={index * step + 1} width={step - 2} y={HEIGHT - height} height={height} data-look={stateOf(row).look}>
              <title>{`${stateOf(row).text}, score ${row.score?.toFixed(2) ?? 'unknown'}, ${absoluteTime(row.completedAt)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="dim">score of each, the last on the right</figcaption>
    </figure>
  );
}
