import type { Lease } from '../../../api/builtin/index.ts';
import { keyOf, keyText } from '../../../api/meta.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Settings } from '../../settings.ts';
import { runName } from '../names.ts';
import { blockIn } from '../history/judge-history.ts';
import { storedBlock, type TargetBlock } from './stored-block.ts';
import { failuresOf } from '../history/target-record.ts';

/** A block that is not cleared. */
export interface ActiveBlock extends TargetBlock {
  /** The Lease that keeps it, because its execution is gone. */
  readonly keptOn?: string;
}

/** All that is recorded of a target: executions that exist, and locks, which may keep blocks of deleted executions. */
export interface TargetState {
  readonly executions: readonly WorkflowExecution[];
  readonly locks: readonly Lease[];
}

/** What keeps workflows off a target; undefined where nothing does. The same target in several clusters is several: one block will do. */
export function findBlock({ executions, locks }: TargetState, settings: Settings): ActiveBlock | undefined {
  const names = new Set([...executions.map(({ spec }) => runName(spec)), ...locks.map(({ metadata }) => metadata.name)]);
  for (const name of names) {
    const lock = locks.find(({ metadata }) => metadata.name === name);
    const kept = lock && storedBlock(lock);
    const block = blockIn(failuresOf(executions.filter(({ spec }) => runName(spec) === name)), { settings, kept });
    if (block) return { ...block, ...(lock && block === kept && { keptOn: `Lease ${keyText(keyOf(lock))}` }) };
  }
  return undefined;
}
