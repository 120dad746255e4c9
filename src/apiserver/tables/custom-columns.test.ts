import { describe, expect, test } from 'vitest';
import { instant, MINUTE, parseTime, toTime } from '../../base/index.ts';
import type { CrdColumn } from '../kinds/crd.ts';
import type { Stored } from '../object.ts';
import { customColumns } from './custom-columns.ts';

const NOW = parseTime('2026-11-15T00:00:00Z')!;
const version = (columns: readonly CrdColumn[]) => ({ name: 'v1', served: true, storage: true, additionalPrinterColumns: columns });
const object = {
  apiVersion: 'x/v1',
  kind: 'X',
  metadata: { name: 'a', creationTimestamp: toTime(instant(NOW - 5 * MINUTE)) },
  spec: {
    text: 'x',
    whole: 3,
    part: 2.5,
    yes: true,
    list: [1, { a: 'b' }],
    nothing: null,
    soon: 'tomorrow',
    when: toTime(instant(NOW - 90_000)),
  },
} as unknown as Stored;

describe('the cell of a column', () => {
  const cases: readonly { readonly type: string; readonly path: string; readonly cell: unknown; readonly reason?: string }[] = [
    { type: 'string', path: '.spec.text', cell: 'x' },
    { type: 'string', path: '.spec.whole', cell: '3', reason: 'everything can be a text' },
    { type: 'string', path: '.spec.list', cell: '[1,{"a":"b"}]' },
    { type: 'string', path: '.spec.nothing', cell: '<no value>' },
    { type: 'string', path: '.spec.absent', cell: null },
    { type: 'string', path: 'not a path', cell: null },
    { type: 'integer', path: '.spec.whole', cell: 3 },
    { type: 'integer', path: '.spec.part', cell: 2 },
    { type: 'integer', path: '.spec.text', cell: null },
    { type: 'number', path: '.spec.part', cell: 2.5 },
    { type: 'number', path: '.spec.yes', cell: null },
    { type: 'boolean', path: '.spec.yes', cell: true },
    { type: 'boolean', path: '.spec.text', cell: null },
    { type: 'date', path: '.spec.when', cell: '90s' },
    { type: 'date', path: '.spec.soon', cell: '<invalid>' },
    { type: 'date', path: '.spec.whole', cell: null },
    { type: 'colour', path: '.spec.text', cell: null },
  ];
  test.each(cases)('$type $path', ({ type, path, cell }) => {
    const { cells } = customColumns(version([{ name: 'C', type, jsonPath: path }]));
    expect(cells(object, NOW)).toEqual(['a', cell]);
  });
});

test('columns are announced as they are declared', () => {
  const { definitions } = customColumns(
    version([
      { name: 'One', type: 'string', jsonPath: '.spec.text', priority: 1, description: 'the one' },
      { name: 'Two', type: 'integer', format: 'int32', jsonPath: '.spec.whole' },
    ]),
  );
  expect(definitions).toMatchObject([
    { name: 'Name', type: 'string', format: 'name', priority: 0 },
    { name: 'One', type: 'string', format: '', priority: 1, description: 'the one' },
    {
      name: 'Two',
      type: 'integer',
      format: 'int32',
      priority: 0,
      description: 'Custom resource definition column (in JSONPath format): .spec.whole',
    },
  ]);
});

test('without columns the age is shown', () => {
  const { definitions, cells } = customColumns(version([]));
  expect(definitions.map(({ name }) => name)).toEqual(['Name', 'Age']);
  expect(cells(object, NOW)).toEqual(['a', '5m']);
});
