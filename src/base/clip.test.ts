import { expect, test } from 'vitest';
import { clip } from './clip.ts';

test.each([
  { text: 'short', most: 5, want: 'short', reason: 'it fits' },
  { text: 'longer', most: 5, want: 'long…', reason: 'a mark says that there was more' },
  { text: 'ab😀cd', most: 4, want: 'ab…', reason: 'a character is kept whole or not at all' },
  { text: 'ab😀cd', most: 5, want: 'ab😀…', reason: 'it fits whole' },
  { text: '', most: 5, want: '', reason: 'nothing is nothing' },
])('$text in $most: $reason', ({ text, most, want }) => expect(clip(text, most)).toBe(want));
