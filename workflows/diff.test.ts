import { expect, test } from 'vitest';
import { diff } from './diff.ts';

test.each<{ reason: string; before: unknown; after: unknown; want: readonly string[] }>([
  { reason: 'the same', before: { spec: { a: 1 } }, after: { spec: { a: 1 } }, want: [] },
  { reason: 'a change', before: { spec: { a: 1, b: 1 } }, after: { spec: { a: 2, b: 1 } }, want: ['- /spec/a: 1', '+ /spec/a: 2'] },
  { reason: 'something new', before: { spec: {} }, after: { spec: { a: { b: 1 } } }, want: ['+ /spec/a: {"b":1}'] },
  { reason: 'something gone', before: { spec: { a: 1 } }, after: { spec: {} }, want: ['- /spec/a: 1'] },
  { reason: 'inside a list', before: { l: [{ x: 1 }, 2] }, after: { l: [{ x: 3 }, 2] }, want: ['- /l/0/x: 1', '+ /l/0/x: 3'] },
  { reason: 'a longer list', before: { l: [1] }, after: { l: [1, 2] }, want: ['- /l: [1]', '+ /l: [1,2]'] },
  { reason: 'a name with a slash', before: { 'a/b~': 1 }, after: {}, want: ['- /a~1b~0: 1'] },
  {
    reason: 'what the server writes',
    before: { status: 1, metadata: { resourceVersion: '1', generation: 1 } },
    after: { status: 2, metadata: { resourceVersion: '2', generation: 2 } },
    want: [],
  },
])('shows $reason', ({ before, after, want }) => expect(diff(before, after)).toEqual(want));

test('shows that a value of a variable or a ConfigMap changes, but not the value', () => {
  const env = (value: string) => ({ spec: { containers: [{ name: 'web', env: [{ name: 'PASSWORD', value }] }] } });
  const lines = [
    ...diff(env('hunter2'), env('hunter3')),
    ...diff({ data: { key: 'hunter2' } }, { data: { key: 'hunter3', other: 'hunter4' } }),
    ...diff({ spec: {} }, env('hunter5')),
  ];
  expect(lines.join('\n')).not.toContain('hunter');
  expect(lines[0]).toMatch(/^- \/spec\/containers\/0\/env\/0\/value: "\(7 characters, sha256 [0-9a-f]{12}\)"$/);
  expect(lines).toHaveLength(6);
});

test('keeps lines short', () => expect(diff({}, { a: 'x'.repeat(9_999) })[0]?.length).toBe(400));
