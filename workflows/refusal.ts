import { PRECONDITION_NOT_MET } from '../src/api/workflow-execution/precondition-exit-code.ts';
import { PlatformError } from '../src/base/index.ts';

/** The exit code of a run that changed nothing: a parameter is invalid, or a precondition is not met. */
export const EXIT = { invalidParameter: 2, notMet: PRECONDITION_NOT_MET } as const;

/** Why a workflow did not act: nothing was changed. */
export class Refusal extends PlatformError {
  override readonly name = 'Refusal';
  readonly exitCode: (typeof EXIT)[keyof typeof EXIT];

  constructor(kind: keyof typeof EXIT, message: string) {
    super(kind === 'notMet' ? 'Terminal' : 'Invalid', message, { retry: 'never' });
    this.exitCode = EXIT[kind];
  }
}

/** A parameter is absent or cannot be used. */
export const invalidParameter = (message: string): Refusal => new Refusal('invalidParameter', message);

/** A precondition of the workflow is not met. */
export const notMet = (message: string): Refusal => new Refusal('notMet', message);
