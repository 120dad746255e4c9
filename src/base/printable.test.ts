import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test.each([
  { reason: 'a title', text: 'a\u001b]0;pwn\u0007', want: String.raw`a\u001b]0;pwn\u0007` },
  { reason: 'a colour', text: '\u001b[31mred', want: String.raw`\u001b[31mred` },
  { reason: 'a control sequence in one character', text: '\u009b31m', want: String.raw`\u009b31m` },
  {
    reason: 'a way back over what stands there',
    text: 'approved\b\b\b\rrejected\u007f',
    want: String.raw`approved\u0008\u0008\u0008\u000drejected\u007f`,
  },
  { reason: 'text that runs the other way', text: 'a\u202eb\u2066', want: String.raw`a\u202eb\u2066` },
  { reason: 'lines, tabs and other scripts', text: 'a\n\tgröße 🚑 日本', want: 'a\n\tgröße 🚑 日本' },
])('$reason', ({ text, want }) => expect(printable(text)).toBe(want));

test('JSON means the same as before', () => {
  const value = { name: 'a\u001b]0;pwn\u0007\u007f\u009b\u202e' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});
