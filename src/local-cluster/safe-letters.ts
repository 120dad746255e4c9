import { createHash } from 'node:crypto';

/** The letters that Kubernetes makes names of: no vowels and nothing that looks like another, so that no word comes out. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** A number written in those letters, always as long as asked. */
export function safeLetters(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / LETTERS.length)) text += LETTERS[rest % LETTERS.length]!;
  return text;
}

/** How many words of that length there are. */
export const wordsOf = (length: number): number => LETTERS.length ** length;

/** A number below 2⁴⁸ that the text always gives. */
export const numberOf = (text: string): number => parseInt(createHash('sha256').update(text).digest('hex').slice(0, 12), 16);
