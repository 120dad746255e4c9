/** The root folder of an image: Node, the libraries that it loads, one user, no shell. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, lutimesSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The user that images run as. */
export const USER = 65_532;

/** Where Node is in an image. */
export const NODE = 'usr/local/bin/node';

/** The shared libraries of the program and its loader, at the paths where the program expects them. */
function librariesOf(program: string): readonly string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(?:=>\s+)?(\/\S+)\s+\(0x/.exec(line)?.[1] ?? []);
}

/** Makes the folder, empty but for Node and the user of that name. */
export function startRootFolder(into: string, user: string): void {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(join(into, 'etc'), { recursive: true });
  mkdirSync(join(into, 'tmp'));
  // mkdir's own mode is cut by the umask.
  chmodSync(join(into, 'tmp'), 0o1777);
  writeFileSync(join(into, 'etc/passwd'), `${user}:x:${USER}:${USER}::/tmp:/sbin/nologin\n`);
  const node = realpathSync(process.execPath);
  const copy = (from: string, to: string): void => {
    mkdirSync(join(into, dirname(to)), { recursive: true });
    cpSync(from, join(into, to), { recursive: true, dereference: true });
  };
  copy(node, NODE);
  for (const library of librariesOf(node)) copy(library, library);
}

/** Gives every file one time, so that two builds of the same sources are the same image: SOURCE_DATE_EPOCH, or the epoch. */
export function stampRootFolder(into: string): void {
  const seconds = Number(process.env['SOURCE_DATE_EPOCH'] ?? 0);
  const paths = readdirSync(into, { recursive: true, encoding: 'utf8' });
  for (const path of [...paths.map((each) => join(into, each)), into]) lutimesSync(path, seconds, seconds);
}
