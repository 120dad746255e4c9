import { PlatformError } from '../src/base/index.ts';

/** What a run that changed nothing ends with: it was told something wrong, or what it needs is not so. */
export const EXIT = { wronglyTold: 2, notMet: 3 } as const;

/** Why a workflow did not act at all: nothing was changed. */
export class Refusal extends PlatformError {
  override readonly name = 'Refusal';
  readonly exitCode: (typeof EXIT)[keyof typeof EXIT];

  constructor(kind: keyof typeof EXIT, message: string) {
    super(kind === 'notMet' ? 'Terminal' : 'Invalid', message, { retry: 'never' });
    this.exitCode = EXIT[kind];
  }
}

/** A parameter is absent or cannot be used. */
export const wronglyTold = (message: string): Refusal => new Refusal('wronglyTold', message);

/** What must hold before the workflow acts does not hold. */
export const notMet = (message: string): Refusal => new Refusal('notMet', message);
