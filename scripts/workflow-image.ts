/**
 * npm run workflow-image -- DIR: the workflow library as the root folder of an image, for machines without an image builder.
 * Entry point: node /app/workflows/main.ts NAME. `deploy/workflows.Dockerfile` builds the same image with Docker.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './program.ts';
import { FOLDERS, isShipped, PACKAGES, USER } from './workflow-image-contents.ts';

const NODE = 'usr/local/bin/node';

/** The shared libraries of the program and its loader, at the paths where the program expects them. */
function librariesOf(program: string): readonly string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(?:=>\s+)?(\/\S+)\s+\(0x/.exec(line)?.[1] ?? []);
}

function build(into: string): void {
  const copy = (from: string, to: string): void => cpSync(from, join(into, to), { recursive: true, dereference: true, filter: isShipped });
  rmSync(into, { recursive: true, force: true });
  mkdirSync(join(into, 'etc'), { recursive: true });
  mkdirSync(join(into, 'tmp'), { mode: 0o777 });
  writeFileSync(join(into, 'etc/passwd'), `workflow:x:${USER}:${USER}::/tmp:/sbin/nologin\n`);
  const node = realpathSync(process.execPath);
  copy(node, NODE);
  for (const library of librariesOf(node)) {
    mkdirSync(join(into, dirname(library)), { recursive: true });
    copy(library, library);
  }
  for (const folder of FOLDERS) copy(join(root, folder), join('app', folder));
  for (const name of PACKAGES) copy(join(root, 'node_modules', name), join('app/node_modules', name));
  // Tells Node that the sources are modules.
  writeFileSync(join(into, 'app/package.json'), `${JSON.stringify({ private: true, type: 'module' })}\n`);
}

const [into] = process.argv.slice(2);
if (into === undefined) {
  process.stderr.write('usage: npm run workflow-image -- DIR\n');
  process.exitCode = 2;
} else {
  build(into);
  process.stdout.write(`${into}: entry point /${NODE} /app/workflows/main.ts\n`);
}
