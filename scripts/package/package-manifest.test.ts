import { expect, test } from 'vitest';
import { packageManifest, packageShrinkwrap, type ProjectManifest } from './package-manifest.ts';

const PROJECT: ProjectManifest = {
  name: 'sickbay',
  version: '1.2.3',
  description: 'd',
  license: 'Apache-2.0',
  dependencies: { yaml: '2.9.1', vite: '8.3.5', a: '1.0.0' },
};

test('the package depends on what its code imports, at the versions of the project', () => {
  expect(packageManifest(PROJECT, ['yaml', 'a'])).toMatchObject({ version: '1.2.3', dependencies: { a: '1.0.0', yaml: '2.9.1' } });
});

test('code that imports a package for development makes no package', () => {
  expect(() => packageManifest(PROJECT, ['yaml', 'vitest'])).toThrow('not among the dependencies of package.json: vitest');
});

test('the package pins what its dependencies depend on', () => {
  const locked = {
    'node_modules/a': { version: '1.0.0', dependencies: { b: '^2.0.0' } },
    'node_modules/b': { version: '2.3.4' },
    'node_modules/vite': {},
  };
  const { packages } = packageShrinkwrap(PROJECT, ['a'], locked) as { readonly packages: object };
  expect(Object.keys(packages)).toEqual(['', 'node_modules/a', 'node_modules/b']);
  expect(packages).toMatchObject({ 'node_modules/b': { version: '2.3.4' } });
});
