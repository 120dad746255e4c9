import { describe, expect, test } from 'vitest';
import { privateWordsIn, refusedWords, roomOf } from './words.ts';

const at = (path: string, text: string) => privateWordsIn({ path, text }).map(({ line, message }) => `${line}: ${message}`);

describe('words that are private to the project', () => {
  const refused = [
    { text: 'a Node that is ill', want: '"ill": write unhealthy' },
    { text: '// Nobody has read it', want: '"Nobody": write the actor' },
    { text: "log.info('the run is let go')", want: '"let go": write release' },
    { text: 'the Machine is handed out', want: '"handed out": write request remediation' },
    { text: 'an alert was taken in', want: '"taken in": write received' },
    { text: 'made anew', want: '"anew": write again' },
  ];
  test.each(refused)('are refused: $text', ({ text, want }) => {
    expect(at('src/a.ts', `first\n${text}`)).toEqual([expect.stringMatching(`^2: ${want}`)]);
  });

  const accepted = [
    { text: 'fill the will of Bill', reason: 'part of another word' },
    { text: 'recommend and amend', reason: 'part of another word' },
    { text: 'Illegal transitions', reason: 'another word' },
    { text: 'renewed', reason: 'another word' },
    { text: 'it takes information', reason: 'begins alike' },
  ];
  test.each(accepted)('leave ordinary words alone: $text', ({ text }) => {
    expect(at('src/a.ts', text)).toEqual([]);
  });

  test('are not looked for in texts that are not ours', () => {
    expect(at('docs/requirements/000-routing.md', 'nobody')).toEqual([]);
    expect(at('docs/rulings.md', 'nobody')).toEqual([]);
  });

  test.each([
    { path: 'docs/a.md', text: 'nobody', want: true, reason: 'documentation' },
    { path: 'src/a.ts', text: "fail('nobody answers')", want: true, reason: 'a text of the product' },
    { path: 'src/a.ts', text: '/** Nobody answers. */', want: false, reason: 'a comment' },
    { path: 'src/a.ts', text: "const a = 'b'; // nobody", want: false, reason: 'a comment after code' },
    { path: 'src/a.test.ts', text: "test('nobody answers')", want: false, reason: 'a test' },
  ])('are seen by users: $want ($reason)', ({ path, text, want }) => {
    expect(privateWordsIn({ path, text }).map(({ isVisible }) => isVisible)).toEqual([want]);
  });

  test('that users see are always refused, others beyond the backlog of their room', () => {
    const uses = [
      ...privateWordsIn({ path: 'src/kube/a.ts', text: "// nobody\n// somebody\nsay('anew');" }),
      ...privateWordsIn({ path: 'src/base/a.ts', text: '// nobody' }),
    ];
    const lines = (backlog: Readonly<Record<string, number>>) => refusedWords(uses, backlog).map(({ path, line }) => `${path}:${line}`);
    expect(lines({ 'src/kube': 2, 'src/base': 1 })).toEqual(['src/kube/a.ts:3']);
    expect(lines({ 'src/kube': 1 })).toEqual(['src/kube/a.ts:3', 'src/kube/a.ts:1', 'src/kube/a.ts:2', 'src/base/a.ts:1']);
  });

  test.each([
    ['src/controllers/execution/run/a.ts', 'src/controllers/execution'],
    ['src/testkit/loop/a.ts', 'src/testkit/loop'],
    ['src/kube/cache/a.ts', 'src/kube'],
    ['workflows/undo-change.ts', 'workflows'],
    ['README.md', ''],
  ])('%s belongs to %s', (path, room) => expect(roomOf(path)).toBe(room));
});
