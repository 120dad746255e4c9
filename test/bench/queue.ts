import { systemClock } from '../../src/base/index.ts';
import { WorkQueue } from '../../src/runtime/queue/work-queue.ts';
import type { BenchResult } from './result.ts';
import { inTurn } from './sides.ts';

const FEW = 100;
const MANY = 10_000;
const WORKERS = 8;
const CYCLES = 200_000;

/** P12: keys per second through add, get and done, under workers as the control loop has them; many keys ready against few. */
export async function benchQueue(): Promise<BenchResult> {
  const sides = await inTurn(
    () => keysPerSecond(MANY),
    () => keysPerSecond(FEW),
  );
  return {
    name: 'P12 queue: 10,000 ready keys against 100',
    ...sides,
    unit: 'add/get/done per second, each side to reach 500,000',
    goal: '≥ 0.9',
  };
}

async function keysPerSecond(ready: number): Promise<number> {
  const hooks = { added: () => {}, taken: () => {}, retried: () => {} };
  const queue = new WorkQueue({ clock: systemClock, hooks });
  for (let i = 0; i < ready; i++) queue.add(`sickbay-system/remediation-${i}`);
  let left = CYCLES;
  const start = performance.now();
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const key = (await queue.get())!;
      await emptyPass();
      queue.done(key);
      queue.add(key);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return (CYCLES * 1_000) / (performance.now() - start);
}

const emptyPass = async (): Promise<void> => {};
