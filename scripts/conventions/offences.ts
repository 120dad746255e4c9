/** The conventions that a linter's rules cannot express: who may import whom, file names, no state in module scope. */
import { posix } from 'node:path';
import { CLIENT, CONSOLE, controllersMayImport, mayImport, TESTKIT, WORKFLOWS } from './rooms.ts';

/** A file of the project: its path from the root, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A broken convention, for a person to read. */
export interface Offence {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Everything in the file that breaks a convention. */
export const offencesIn = (file: SourceFile): readonly Offence[] => [
  ...badName(file),
  ...badImports(file),
  ...badControllerImports(file),
  ...codeInConsole(file),
  ...moduleState(file),
];

const VAGUE_NAME = /^(utils?|helpers?|common|manager)$/;

function badName(file: SourceFile): readonly Offence[] {
  const vague = posix
    .basename(file.path)
    .split(/[.-]/)
    .find((word) => VAGUE_NAME.test(word));
  return vague === undefined
    ? []
    : [{ path: file.path, line: 1, message: `a file called "${vague}" says nothing: name it after what it holds` }];
}

function moduleState(file: SourceFile): readonly Offence[] {
  if (isTest(file.path)) return [];
  return found(file, /^(?:export )?let /gm, () => 'module scope holds constants only');
}

function badImports(file: SourceFile): readonly Offence[] {
  const room = roomOf(file.path);
  if (room === undefined || isTest(file.path) || room === TESTKIT) return [];
  const allowed = mayImport[room];
  if (!allowed) return [{ path: file.path, line: 1, message: `${folderOf(room)} has no line in scripts/conventions/rooms.ts` }];
  return found(file, RELATIVE_IMPORT, ([, specifier = '']) => {
    const target = targetOf(file, specifier);
    return refusal(room, roomOf(target), allowed) ?? meantForTests(target) ?? leavesSource(room, target);
  });
}

const RELATIVE_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]*)['"]/g;

const targetOf = (file: SourceFile, specifier: string): string => posix.normalize(posix.join(posix.dirname(file.path), specifier));

/** What the console and its client take from the server are types, which are erased: code would reach browsers. */
function codeInConsole(file: SourceFile): readonly Offence[] {
  const room = roomOf(file.path);
  if ((room !== CONSOLE && room !== CLIENT) || isTest(file.path)) return [];
  return found(file, CODE_IMPORT, ([, specifier = '']) => {
    const target = targetOf(file, specifier);
    return target.startsWith('src/') && roomOf(target) !== CLIENT
      ? 'what runs in browsers imports only types from src: write `import type`'
      : undefined;
  });
}

const CODE_IMPORT = /(?:^(?:import|export) (?!type\b)[^'"]*?|\bimport\(\s*)['"](\.[^'"]*)['"]/gm;

/** Between the rooms of src/controllers. */
function badControllerImports(file: SourceFile): readonly Offence[] {
  const room = controllerRoomOf(file.path);
  if (room === undefined || isTest(file.path)) return [];
  const allowed = room === SHARED ? [] : controllersMayImport[room];
  if (!allowed) return [{ path: file.path, line: 1, message: `src/controllers/${room} has no line in scripts/conventions/rooms.ts` }];
  return found(file, RELATIVE_IMPORT, ([, specifier = '']) => {
    const target = controllerRoomOf(targetOf(file, specifier));
    if (target === undefined || target === SHARED || target === room || allowed.includes(target)) return undefined;
    return `src/controllers${room === SHARED ? '' : `/${room}`} may not import src/controllers/${target}`;
  });
}

/** The files directly in src/controllers, which every room there shares. */
const SHARED = '';

/** The room of src/controllers that a path belongs to; undefined for files elsewhere. */
function controllerRoomOf(path: string): string | undefined {
  const [, room, rest] = /^src\/controllers\/([^/]+)(\/)?/.exec(path) ?? [];
  return room === undefined ? undefined : rest === undefined ? SHARED : room;
}

function refusal(room: string, target: string | undefined, allowed: readonly string[]): string | undefined {
  if (target === undefined || target === room || allowed.includes(target)) return undefined;
  return target === TESTKIT ? 'only tests import src/testkit' : `${folderOf(room)} may not import ${folderOf(target)}`;
}

const meantForTests = (target: string): string | undefined => (isTest(target) ? `only tests import ${posix.dirname(target)}` : undefined);

const leavesSource = (room: string, target: string): string | undefined =>
  /^(test|scripts)\//.test(target) ? `${OUTSIDE.includes(room) ? room : 'src'} does not import ${posix.dirname(target)}` : undefined;

/** Rooms that are not folders of src/. */
const OUTSIDE: readonly string[] = [WORKFLOWS, CONSOLE];

/** The room that a path belongs to: a folder under src/, the workflow library or the console; undefined for files elsewhere. */
const roomOf = (path: string): string | undefined =>
  /^src\/([^/]+)\//.exec(path)?.[1] ?? OUTSIDE.find((room) => path.startsWith(`${room}/`));

const folderOf = (room: string): string => (OUTSIDE.includes(room) ? room : `src/${room}`);

/** Tests, and what the tests of a room share in its `testing/` folder. */
const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.includes('/testing/');

function found(file: SourceFile, pattern: RegExp, judge: (match: RegExpExecArray) => string | undefined): readonly Offence[] {
  const offences: Offence[] = [];
  for (const match of file.text.matchAll(pattern)) {
    const message = judge(match);
    if (message !== undefined) offences.push({ path: file.path, line: file.text.slice(0, match.index).split('\n').length, message });
  }
  return offences;
}
