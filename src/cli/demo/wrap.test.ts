import { expect, test } from 'vitest';
import { wrap } from './wrap.ts';

test.each([
  { name: 'fits', line: '  told  a story', width: 40, want: ['  told  a story'] },
  { name: 'fits exactly', line: 'x'.repeat(20) + ' ' + 'y'.repeat(19), width: 40, want: ['x'.repeat(20) + ' ' + 'y'.repeat(19)] },
  {
    name: 'is broken at a blank, and goes on under its text',
    line: '  told  one two three four five six seven eight',
    width: 40,
    want: ['  told  one two three four five six', '        seven eight'],
  },
  {
    name: 'is broken as often as it takes',
    line: `        ${'word '.repeat(16)}end`,
    width: 40,
    want: ['        word word word word word word', '        word word word word word word', '        word word word word end'],
  },
  { name: 'is one long word', line: 'x'.repeat(60), width: 40, want: ['x'.repeat(60)] },
  {
    name: 'begins with a word that is too long: it stays whole',
    line: `  told  ${'x'.repeat(60)} and more`,
    width: 40,
    want: [`  told  ${'x'.repeat(60)}`, '        and more'],
  },
  { name: 'is to fit into nothing: some width is left', line: `        ${'word '.repeat(8)}end`, width: 3, want: 2 },
  { name: 'may be as long as it is', line: 'word '.repeat(100), width: Infinity, want: ['word '.repeat(100)] },
])('a line that $name', ({ line, width, want }) => {
  const lines = wrap(line, { width, hang: 8 });
  if (typeof want === 'number') expect(lines).toHaveLength(want);
  else expect(lines).toEqual(want);
  expect(lines.join(' ').split(/\s+/).filter(Boolean), 'no word is lost').toEqual(line.split(/\s+/).filter(Boolean));
});
