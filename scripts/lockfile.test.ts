import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Package {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}

const text = readFileSync(join(resolve(import.meta.dirname, '..'), 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Package>> };

describe('package-lock.json', () => {
  test('names no registry, so that every user can install from their own', () => {
    expect(text).not.toMatch(/"resolved":/);
  });

  test('lists the optional packages of every platform, not only of the one that wrote it', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  test('has no package with an install script', () => {
    expect(Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });
});
