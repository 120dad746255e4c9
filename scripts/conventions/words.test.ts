import { describe, expect, test } from 'vitest';
import { privateWordsIn } from './words.ts';

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
});
