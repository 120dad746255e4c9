/**
 * npm run server-image -- DIR: Sickbay itself as the root folder of an image: Node, the npm package with its dependencies, no shell.
 * Entry point: node /app/bin/sickbay.mjs COMMAND. `deploy/server.Dockerfile` makes an image of the same folder with Docker.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { billOfMaterials } from './image/bill-of-materials.ts';
import { NODE, stampRootFolder, startRootFolder } from './image/root-folder.ts';
import { buildPackage } from './package/build-package.ts';
import { lockedPackages, type LockedPackages } from './package/locked-packages.ts';
import { COMMAND, type ProjectManifest } from './package/package-manifest.ts';
import { root } from './program.ts';

/** What nothing reads at run time. */
const isLeftOut = (path: string): boolean => /\.d\.[cm]?ts$|\.ts$|\.map$|\.md$/.test(path);

const LOCKFILE = 'npm-shrinkwrap.json';

async function build(into: string): Promise<void> {
  startRootFolder(into, 'sickbay');
  const built = join(into, 'built');
  await buildPackage(built);
  const app = join(into, 'app');
  cpSync(built, app, { recursive: true, filter: (path) => !isLeftOut(path) && !path.endsWith(LOCKFILE) });
  const { packages } = JSON.parse(readFileSync(join(built, LOCKFILE), 'utf8')) as { readonly packages: LockedPackages };
  const { name, version, dependencies } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as ProjectManifest;
  const folders = lockedPackages(packages, Object.keys(dependencies));
  for (const folder of folders) copyPackage(join(root, folder), join(app, folder));
  rmSync(built, { recursive: true });
  const bill = billOfMaterials({ name, version, node: process.version, folders, locked: packages });
  writeFileSync(join(app, 'sbom.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`);
  stampRootFolder(into);
}

/** Packages inside it have folders of their own in the list, or are not needed. */
function copyPackage(from: string, to: string): void {
  const inside = join(from, 'node_modules');
  cpSync(from, to, { recursive: true, dereference: true, filter: (path) => path !== inside && !isLeftOut(path) });
}

const [into] = process.argv.slice(2);
if (into === undefined) {
  process.stderr.write('usage: npm run server-image -- DIR\n');
  process.exitCode = 2;
} else {
  await build(resolve(into));
  process.stdout.write(`${into}: entry point /${NODE} /app/${COMMAND}\n`);
}
