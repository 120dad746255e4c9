/** Builds the npm package: JavaScript with types, the workflow library, the built console, and only the dependencies that it imports. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programs, root, runProgram } from '../program.ts';
import { importedPackages } from './imported-packages.ts';
import type { LockedPackages } from './locked-packages.ts';
import { COMMAND, packageManifest, packageShrinkwrap, type ProjectManifest } from './package-manifest.ts';

/** Files that modules read at run time, beside them. */
const DATA = ['src/**/*.json', 'workflows/*/*.yaml'];

/** Files that people read. */
const TEXTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'];

/** Only tests have these. */
const isForTests = (path: string): boolean => /(^|\/)(testing|testkit)\//.test(path);

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Writes the package into that folder, which is emptied first. */
export async function buildPackage(into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  await step('types', programs.tsc, ['-p', 'tsconfig.build.json', '--outDir', into]);
  await step('the console', 'console/build/main.ts', []);
  const copy = (path: string, to = path): void => {
    mkdirSync(dirname(join(into, to)), { recursive: true });
    cpSync(join(root, path), join(into, to), { recursive: true });
  };
  copy('scripts/package/sickbay.mjs', COMMAND);
  copy('console/dist');
  for (const path of globSync(DATA, { cwd: root })) if (!isForTests(path)) copy(path);
  for (const path of TEXTS) if (existsSync(join(root, path))) copy(path);
  writeManifests(into);
}

function writeManifests(into: string): void {
  const code = globSync('**/*.js', { cwd: into, exclude: ['console/dist/**'] });
  const imported = [...new Set(code.flatMap((path) => importedPackages(readFileSync(join(into, path), 'utf8'))))].toSorted();
  const project = read('package.json') as ProjectManifest;
  const { packages } = read('package-lock.json') as { readonly packages: LockedPackages };
  const write = (name: string, value: object): void => writeFileSync(join(into, name), `${JSON.stringify(value, undefined, 2)}\n`);
  write('package.json', packageManifest(project, imported));
  write('npm-shrinkwrap.json', packageShrinkwrap(project, imported, packages));
}

async function step(what: string, program: string, args: readonly string[]): Promise<void> {
  if ((await runProgram(program, args)) !== 0) throw new Error(`${what} of the package: the message is above`);
}
