import { expect, test } from 'vitest';
import { billOfMaterials } from './bill-of-materials.ts';

test('the bill names Node and every package with its version and license, and no time', () => {
  const locked = { 'node_modules/a': { version: '1.2.3', license: 'MIT' }, 'node_modules/a/node_modules/@s/b': { version: '4.5.6' } };
  const bill = billOfMaterials({ name: 'sickbay', version: '0.1.0', node: 'v24.1.0', folders: Object.keys(locked), locked });
  expect(bill).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'sickbay', version: '0.1.0', purl: 'pkg:npm/sickbay@0.1.0' } },
    components: [
      { type: 'platform', name: 'node', version: '24.1.0', purl: 'pkg:generic/node@24.1.0' },
      { type: 'library', name: 'a', version: '1.2.3', purl: 'pkg:npm/a@1.2.3', licenses: [{ expression: 'MIT' }] },
      { type: 'library', name: '@s/b', version: '4.5.6', purl: 'pkg:npm/%40s/b@4.5.6' },
    ],
  });
});
