import { object, optional, text } from '../schema/index.ts';

/** Upper camel case, as in IncreaseMemoryLimits. */
export const PASCAL_CASE = '^[A-Z][A-Za-z0-9]*$';

/** What something does, and when it is the right thing. */
export const purpose = (description: string) =>
  object(description, {
    what: text('What it does.'),
    whenToUse: text('When to use it.'),
    whenNotToUse: optional(text('When not to use it.')),
    preconditions: optional(text('What must be true before it runs.')),
  });
