import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { AssessmentReason } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { aDeployment } from './testing/builders.ts';
import { configMapHash, improvementOf, overallScore, specHash } from './library.ts';

interface Vectors {
  readonly specHash: readonly { readonly name: string; readonly spec: object; readonly canonical: string; readonly hash: string }[];
  readonly configMapHash: readonly { readonly name: string; readonly configMap: object; readonly hash: string }[];
  readonly improvementOf: readonly {
    readonly pre: number;
    readonly post: number;
    readonly isBetter: 'lower' | 'higher';
    readonly improvement: number | null;
  }[];
  readonly overallScore: readonly {
    readonly name: string;
    readonly components: object;
    readonly reason: AssessmentReason;
    readonly score: number | null;
  }[];
}
const vectors = JSON.parse(readFileSync(new URL('./testing/vectors.json', import.meta.url), 'utf8')) as Vectors;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describe('golden vectors, computed elsewhere', () => {
  test.each(vectors.specHash)('the hash of $name', ({ spec, canonical, hash }) => {
    expect(specHash(anObject(spec))).toBe(hash);
    // The vectors contain the text that is hashed too: an implementation with another hash can find where its text differs.
    expect(specHash(anObject(JSON.parse(canonical) as object))).toBe(hash);
  });

  test.each(vectors.configMapHash)('the hash of a ConfigMap with $name', ({ configMap, hash }) =>
    expect(configMapHash(configMap)).toBe(hash),
  );

  test.each(vectors.improvementOf)('from $pre to $post, $isBetter is better: $improvement', ({ pre, post, isBetter, improvement }) =>
    expect(improvementOf(pre, post, isBetter) ?? null).toBe(improvement),
  );

  test.each(vectors.overallScore)('[EM-224] the score of $name', ({ components, reason, score }) =>
    expect(overallScore(components, reason) ?? null).toBe(score),
  );

  test('tell apart what differs, and nothing else', () => {
    const hashOf = (name: string): string | undefined => vectors.specHash.find((vector) => vector.name === name)?.hash;
    expect(hashOf('members in one order')).toBe(hashOf('members in another order'));
    expect(hashOf('a list in one order')).toBe(hashOf('a list in another order'));
    expect(hashOf('objects in lists, as they were')).toBe(hashOf('objects in lists, members and elements turned'));
    expect(new Set(vectors.specHash.map(({ hash }) => hash)).size).toBe(vectors.specHash.length - 3);
  });
});

const anObject = (spec: object) => ({ ...aDeployment(), spec });

describe('the library', () => {
  test('brings no controller along: only plain functions are loaded with it', () => {
    const loaded = modulesFrom(fileURLToPath(new URL('./library.ts', import.meta.url))).map((path) => relative(ROOT, path));
    const allowed =
      /^src\/((base|api)\/|controllers\/(target|effectiveness\/scorers)\/|controllers\/effectiveness\/library|kube\/(builtin\/|resource\.ts))/;
    expect(loaded.filter((path) => !allowed.test(path))).toEqual([]);
    expect(loaded).toContain('src/controllers/target/spec-hash.ts');
    expect(loaded.filter((path) => path.includes('/read-target'))).toEqual([]);
  });

  test('the example of its page does as the page says', () => {
    const page = readFileSync(join(ROOT, 'docs/effectiveness.md'), 'utf8');
    const example = /```ts\n(import [^`]*'sickbay\/effectiveness'[^`]*)```/.exec(page)?.[1] ?? '';
    const wanted = [...example.matchAll(/\/\/ prints (.*)$/gm)].map(([, line]) => line);
    const run = [process.execPath, ['--input-type=module-typescript', '--no-warnings', '--eval', example]] as const;
    const printed = execFileSync(run[0], run[1], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    expect(wanted.length).toBeGreaterThan(1);
    expect(printed).toEqual(wanted);
  });
});

/** A module and all that it loads; what is imported for its types alone is not. */
function modulesFrom(path: string, known = new Set<string>()): readonly string[] {
  if (known.has(path)) return [];
  known.add(path);
  const source = readFileSync(path, 'utf8').replaceAll(/^(import|export) type [^;]*;/gm, '');
  const names = [...source.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';/gm)].map(([, name = '']) => name);
  const here = names.filter((name) => name.startsWith('.')).map((name) => join(dirname(path), name));
  const packages = names.filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
  return [path, ...packages, ...here.flatMap((next) => modulesFrom(next, known))];
}
