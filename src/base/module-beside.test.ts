import { expect, test } from 'vitest';
import { moduleBeside } from './module-beside.ts';

test.each([
  { self: 'file:///checkout/src/store/log.ts', want: 'file:///checkout/src/store/worker.ts', reason: 'a checkout has TypeScript' },
  { self: 'file:///prefix/src/store/log.js', want: 'file:///prefix/src/store/worker.js', reason: 'a package has JavaScript' },
])('a module has the extension of the one that starts it: $reason', ({ self, want }) => {
  expect(moduleBeside('./worker', self).href).toBe(want);
});
