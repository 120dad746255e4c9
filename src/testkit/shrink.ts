import type { Injected } from '../simulation/index.ts';
import { plannedFaults } from './faults/planned-faults.ts';
import { runScenario, type RunResult, type Scenario } from './scenario.ts';

/**
 * Leaves out faults of a failing run for as long as it still fails, larger parts first (delta debugging): what remains is
 * the shortest story found that ends badly.
 */
export async function shrink(scenario: Scenario, failing: RunResult): Promise<RunResult> {
  const fails = async (plan: readonly Injected[]): Promise<RunResult | undefined> => {
    const result = await runScenario(scenario, { seed: failing.seed, faults: plannedFaults(plan) });
    return sameFailure(result, failing) ? result : undefined;
  };
  let best = await fails(failing.injected);
  // Planned faults meet the same points as the random ones did, so the whole plan fails again.
  if (!best) return failing;
  let plan = failing.injected;
  let part = Math.ceil(plan.length / 2);
  while (plan.length > 0) {
    const smaller = await withoutAPart(plan, part, fails);
    if (smaller) {
      ({ plan, result: best } = smaller);
      part = Math.min(part, Math.max(plan.length, 1));
      continue;
    }
    if (part === 1) break;
    part = Math.ceil(part / 2);
  }
  return best;
}

async function withoutAPart(
  plan: readonly Injected[],
  part: number,
  fails: (plan: readonly Injected[]) => Promise<RunResult | undefined>,
): Promise<{ plan: readonly Injected[]; result: RunResult } | undefined> {
  for (let from = 0; from < plan.length; from += part) {
    const rest = [...plan.slice(0, from), ...plan.slice(from + part)];
    const result = await fails(rest);
    if (result) return { plan: rest, result };
  }
  return undefined;
}

/** Fewer faults may break something else; only the same complaint counts, whatever it says of names and numbers. */
const sameFailure = (a: RunResult, b: RunResult): boolean => complaint(a) !== undefined && complaint(a) === complaint(b);

const complaint = ({ violations: [first] }: RunResult): string | undefined => first?.split(':')[0]?.replace(/\d+/g, 'N');
