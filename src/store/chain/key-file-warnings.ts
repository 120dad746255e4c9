import { readFileSync, statSync } from 'node:fs';

/** What is wrong with a file of keys that can be used all the same; nothing where there is none. */
export function keyFileWarnings(path: string): readonly string[] {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return [];
  return [...readable(mode, path), ...unended(path)];
}

const readable = (mode: number, path: string): readonly string[] =>
  process.platform !== 'win32' && (mode & 0o044) !== 0
    ? [
        `${path} can be read by other users of this machine, who can seal events with its keys: chmod 600 ${path}; for a mounted Secret set defaultMode: 0400`,
      ]
    : [];

/** `echo KEY >> FILE` would join the keys to one that is neither. */
const unended = (path: string): readonly string[] =>
  readFileSync(path, 'utf8').endsWith('\n') ? [] : [`${path} does not end with a newline: begin a new line before you add a key`];
