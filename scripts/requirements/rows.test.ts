import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { idsAnswered, idsInTitle, rowsIn } from './rows.ts';

describe('rowsIn', () => {
  test('reads rows of tables and nothing else', () => {
    const page = [
      '# Title with RR-000',
      '| id | requirement | where | note |',
      '|---|---|---|---|',
      '| RR-001 | Something holds. | Intro | |',
      '|RR-002|Narrow.|x||',
      '| RR-003 | With a \\| inside. | x | |',
      'RR-004 in prose.',
      '| 5 | RR-005 | a ruling |',
    ].join('\n');
    expect(rowsIn('a.md', page)).toEqual([
      { id: 'RR-001', file: 'a.md', text: 'Something holds.' },
      { id: 'RR-002', file: 'a.md', text: 'Narrow.' },
      { id: 'RR-003', file: 'a.md', text: 'With a \\| inside.' },
    ]);
  });

  test('finds as many rows as the index promises', () => {
    const folder = resolve(import.meta.dirname, '../../docs/requirements');
    const index = readFileSync(`${folder}/README.md`, 'utf8');
    const promised = [...index.matchAll(/^\| \[(.*?)\].*?\| [A-Z]{2}- \| (\d+) \|/gm)].map(
      ([, file, count]) => [file, Number(count)] as const,
    );
    const pages = globSync(`${folder}/*.md`).filter((page) => basename(page) !== 'README.md');
    const found = pages.map((page) => [basename(page), rowsIn(basename(page), readFileSync(page, 'utf8')).length] as const);
    expect(new Map(found)).toEqual(new Map(promised));
    expect(found.length).toBe(6);
  });
});

describe('idsInTitle', () => {
  const cases = [
    { title: 'nothing', want: [], reason: 'no id' },
    { title: '[RR-041] holds', want: ['RR-041'], reason: 'one' },
    { title: 'suite > [RR-041, EM-002] holds', want: ['RR-041', 'EM-002'], reason: 'several, and inside a suite' },
    { title: '[RR-041] suite > [RR-042] holds', want: ['RR-041', 'RR-042'], reason: 'from suite and test' },
    { title: 'RR-041 holds', want: [], reason: 'without brackets it is only a mention' },
    { title: 'reads items[RR-041x]', want: [], reason: 'not an id' },
  ];
  // Only the reason in the title: an id there would count as proved.
  test.each(cases)('$reason', ({ title, want }) => {
    expect(idsInTitle(title)).toEqual(want);
  });
});

test('idsAnswered reads the Answers lines of a record', () => {
  expect(idsAnswered('# A\n\nAnswers: RR-017, EM-002\nMore about RR-018.\nAnswers: CO-001\n')).toEqual(['RR-017', 'EM-002', 'CO-001']);
});
