import { describe, expect, test } from 'vitest';
import { VerifiedTokens } from './verified-tokens.ts';

function rig() {
  const asked: string[] = [];
  const tokens = new VerifiedTokens((token) => {
    asked.push(token);
    return token.startsWith('good') ? `user of ${token}` : undefined;
  });
  return { asked, tokens };
}

describe('what tokens prove', () => {
  test('is worked out once for a good one', () => {
    const { asked, tokens } = rig();
    expect([tokens.read('good'), tokens.read('good')]).toEqual(['user of good', 'user of good']);
    expect(asked).toEqual(['good']);
  });

  test('is worked out each time for a bad one, of which nothing is kept', () => {
    const { asked, tokens } = rig();
    expect([tokens.read('bad'), tokens.read('bad')]).toEqual([undefined, undefined]);
    expect(asked).toEqual(['bad', 'bad']);
  });

  test('is forgotten when there are too many, and found again', () => {
    const { asked, tokens } = rig();
    for (let i = 0; i <= 1_000; i++) tokens.read(`good-${i}`);
    expect(tokens.read('good-0')).toBe('user of good-0');
    expect(asked.filter((token) => token === 'good-0')).toHaveLength(2);
  });
});
