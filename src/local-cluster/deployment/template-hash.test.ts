import { expect, test } from 'vitest';
import { template } from '../testing/builders.ts';
import { templateHash } from './template-hash.ts';

test('the same template has the same hash, whatever the order of its members', () => {
  const one = templateHash({ metadata: { labels: { a: '1', b: '2' } }, spec: { containers: [{ name: 'app', image: 'x' }] } });
  const two = templateHash({ spec: { containers: [{ image: 'x', name: 'app' }] }, metadata: { labels: { b: '2', a: '1' } } });
  expect(two).toBe(one);
  expect(one).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
});

test('another template has another, even if only an order in a list differs', () => {
  const containers = [{ name: 'a' }, { name: 'b' }];
  const hashes = [template('exit 1'), template('exit 2'), { spec: { containers } }, { spec: { containers: containers.toReversed() } }].map(
    templateHash,
  );
  expect(new Set(hashes).size).toBe(4);
});

test('a member that is undefined is none', () => {
  expect(templateHash({ spec: { containers: [], nodeName: undefined as never } })).toBe(templateHash({ spec: { containers: [] } }));
});
