import { object, optional, text } from '../schema/index.ts';

/** Upper camel case, as in IncreaseMemoryLimits. */
export const PASCAL_CASE = '^[A-Z][A-Za-z0-9]*$';

/** What something does, and when it is the right thing. */
export const purpose = (description: string) =>
  object(description, {
    what: text('What it does.'),
    whenToUse: text('When it is the right thing.'),
    whenNotToUse: optional(text('When it is the wrong thing.')),
    preconditions: optional(text('What must hold before.')),
  });
