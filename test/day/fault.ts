import type { Stage } from './stage.ts';

/** Something that goes wrong, and how it has to end. */
export interface Fault {
  /** Part of the name of its namespace. */
  readonly name: string;
  /** How it has to end, in words. */
  readonly expected: string;
  /** Nothing else happens meanwhile. */
  readonly isAlone?: boolean;
  /** Brings the fault about, and notes on the stage what does not end as expected. */
  run(stage: Stage): Promise<void>;
}
