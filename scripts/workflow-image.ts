/**
 * npm run workflow-image -- DIR: the workflow library as the root folder of an image, for machines without an image builder.
 * Entry point: node /app/workflows/main.ts NAME. `deploy/workflows.Dockerfile` builds the same image with Docker.
 */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE, stampRootFolder, startRootFolder } from './image/root-folder.ts';
import { root } from './program.ts';
import { FOLDERS, isShipped, PACKAGES } from './workflow-image-contents.ts';

function build(into: string): void {
  const copy = (from: string, to: string): void => cpSync(from, join(into, to), { recursive: true, dereference: true, filter: isShipped });
  startRootFolder(into, 'workflow');
  for (const folder of FOLDERS) copy(join(root, folder), join('app', folder));
  for (const name of PACKAGES) copy(join(root, 'node_modules', name), join('app/node_modules', name));
  // Tells Node that the sources are modules.
  writeFileSync(join(into, 'app/package.json'), `${JSON.stringify({ private: true, type: 'module' })}\n`);
  stampRootFolder(into);
}

const [into] = process.argv.slice(2);
if (into === undefined) {
  process.stderr.write('usage: npm run workflow-image -- DIR\n');
  process.exitCode = 2;
} else {
  build(into);
  process.stdout.write(`${into}: entry point /${NODE} /app/workflows/main.ts\n`);
}
