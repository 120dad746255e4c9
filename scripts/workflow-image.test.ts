import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './program.ts';
import { USER } from './image/root-folder.ts';
import { FOLDERS, isShipped, PACKAGES } from './workflow-image-contents.ts';

const DOCKERFILE = 'deploy/workflows.Dockerfile';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const lines = (path: string): readonly string[] =>
  read(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Copies into the last stage of the Dockerfile: [from, to]. */
const copies = lines(DOCKERFILE)
  .slice(lines(DOCKERFILE).findLastIndex((line) => line.startsWith('FROM ')))
  .flatMap((line) => /^COPY (?:--from=\w+ )?(\S+) (\S+)$/.exec(line)?.slice(1) ?? [])
  .flatMap((path, index, all) => (index % 2 === 0 ? [[path, all[index + 1] ?? ''] as const] : []));

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const isWhollyShipped = (file: string): boolean =>
  file.split('/').every((_, index, parts) => isShipped(parts.slice(0, index + 1).join('/')));

test('the Dockerfile and npm run workflow-image copy the same folders and packages', () => {
  const folders = copies.filter(([from]) => !from.includes('node_modules') && from !== 'package.json');
  expect(folders).toEqual(FOLDERS.map((folder) => [folder, folder]));
  const packages = copies.filter(([from]) => from.includes('node_modules'));
  expect(packages).toEqual(PACKAGES.map((name) => [`/app/node_modules/${name}`, `node_modules/${name}`]));
});

test('the Dockerfile and npm run workflow-image leave out the same files', () => {
  const ignored = lines(`${DOCKERFILE}.dockerignore`).map(
    (pattern) => new RegExp(`(^|/)${pattern.replace('**/', '').replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`),
  );
  const files = FOLDERS.flatMap(filesIn);
  expect(files.filter((file) => !ignored.some((pattern) => pattern.test(file)))).toEqual(files.filter(isWhollyShipped));
});

test('the Dockerfile and npm run workflow-image run the same program as the same user', () => {
  expect(lines(DOCKERFILE).slice(-2)).toEqual([`USER ${USER}:${USER}`, 'ENTRYPOINT ["node", "/app/workflows/main.ts"]']);
});

/** What a file imports at start: files by path, packages by name. */
const loadedBy = (file: string): readonly string[] =>
  [...read(file).matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)';$/gm)]
    .filter(([, isType, from]) => !isType && !from?.startsWith('node:'))
    .map(([, , from = '']) => (from.startsWith('.') ? join(file, '..', from) : (from.split('/')[0] ?? '')));

const isThere = (what: string): boolean =>
  PACKAGES.includes(what) || (FOLDERS.some((folder) => what.startsWith(`${folder}/`)) && isWhollyShipped(what));

test('the image contains every module that the program loads', () => {
  const seen = new Set(['workflows/main.ts', 'workflows/help.ts']);
  for (const what of seen) if (what.endsWith('.ts')) for (const next of loadedBy(what)) seen.add(next);
  expect(seen.size).toBeGreaterThan(30);
  expect([...seen].filter((what) => !isThere(what))).toEqual([]);
});
