import { systemClock } from '../../src/base/index.ts';
import { WorkQueue } from '../../src/runtime/work-queue.ts';
import type { BenchResult } from './result.ts';

const FEW = 100;
const MANY = 10_000;
const ROUNDS = 9;
const CYCLES = 200_000;

/** P12: keys through add, get and done per second as the control loop runs the queue (hooks on), many keys ready against few. */
export async function benchQueue(): Promise<BenchResult> {
  const few: number[] = [];
  const many: number[] = [];
  // In turn, so that whatever else the machine does meets both sides alike.
  for (let round = 0; round < ROUNDS; round++) {
    few.push(await keysPerSecond(FEW));
    many.push(await keysPerSecond(MANY));
  }
  const numerator = median(many);
  const denominator = median(few);
  return {
    name: 'P12 queue: 10,000 ready keys ÷ 100',
    ratio: numerator / denominator,
    numerator,
    denominator,
    unit: 'add/get/done per second (each side ≥ 500,000)',
    goal: '≥ 0.9',
  };
}

async function keysPerSecond(ready: number): Promise<number> {
  let waited = 0;
  const queue = new WorkQueue({ clock: systemClock, hooks: { added: () => {}, taken: (ms) => (waited += ms), retried: () => {} } });
  for (let i = 0; i < ready; i++) queue.add(`sickbay-system/remediation-${i}`);
  const start = performance.now();
  for (let i = 0; i < CYCLES; i++) {
    const key = (await queue.get())!;
    queue.done(key);
    queue.add(key);
  }
  if (Number.isNaN(waited)) throw new Error('the hooks were not called');
  return (CYCLES * 1_000) / (performance.now() - start);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
