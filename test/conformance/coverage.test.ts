import { describe, expect, test } from 'vitest';
import { Coverage, formOf } from './coverage.ts';
import { WANTED } from './wanted.ts';

describe('coverage', () => {
  test.each([
    { reason: 'a body says what it is', request: { body: '{}', type: 'application/yaml', accept: 'application/json' }, form: 'yaml' },
    { reason: 'a body that does not', request: { body: '{}' }, form: '-' },
    { reason: 'without a body, what is asked for', request: { accept: 'application/yaml' }, form: 'yaml' },
    {
      reason: 'without the group and version of a form',
      request: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      form: 'json;as=Table',
    },
    { reason: 'nothing at all', request: { type: 'application/json' }, form: '-' },
  ])('$reason', ({ request, form }) => expect(formOf(request)).toBe(form));

  test('lacks what never succeeded and what was never refused', () => {
    const coverage = new Coverage();
    coverage.add('get', '-', '200');
    coverage.add('list', '-', '400 BadRequest');
    coverage.add('watch', '-', '200');
    coverage.add('watch', '-', '410 Expired');
    const wanted = ['get', 'list', 'watch', 'patch'].map((verb) => ({ verb, form: '-' }));
    expect(coverage.lacking(wanted)).toEqual(['get -: no refusal', 'list -: no success', 'patch -: no success', 'patch -: no refusal']);
  });

  test('a run that compared nothing lacks everything', () => expect(new Coverage().lacking(WANTED)).toHaveLength(2 * WANTED.length));

  test('is told as a table', () => {
    const coverage = new Coverage();
    ['201', '422 Invalid', '201'].forEach((outcome) => coverage.add('create', 'json', outcome));
    coverage.add('get status', '-', '200');
    expect(coverage.text()).toBe('create json   201 ×2, 422 Invalid ×1\nget status -  200 ×1');
    expect(coverage.requests).toBe(4);
  });
});
