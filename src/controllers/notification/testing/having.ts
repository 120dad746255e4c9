import { expect } from 'vitest';

/** Matches a text that has this in it. */
export const having = (text: string): string => expect.stringContaining(text) as string;

/** Matches a text of this form. */
export const matching = (form: RegExp): string => expect.stringMatching(form) as string;

/** Matches a list that has these items in it. */
export const listing = (...items: readonly unknown[]): readonly unknown[] => expect.arrayContaining([...items]) as readonly unknown[];
