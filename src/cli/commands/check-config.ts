import { configError, loadConfig } from '../../config/index.ts';

/** How `sickbay config check` answers. */
export interface CheckFlags {
  readonly output: 'text' | 'json';
}

/**
 * Says whether a config file can be used; true when it can. In text a file that cannot is an error, which names all that is wrong with it;
 * in JSON the answer is printed either way.
 */
export async function checkConfig(file: string, { output }: CheckFlags, print: (line: string) => void): Promise<boolean> {
  const loaded = await loadConfig(file);
  const isValid = loaded.kind === 'valid';
  if (output === 'json') {
    const problems = isValid
      ? []
      : loaded.problems.map(({ at, key, message }) => ({ ...at, ...(key === undefined ? {} : { key }), message }));
    print(JSON.stringify({ file, valid: isValid, sets: isValid ? loaded.keys : [], problems }, undefined, 2));
    return isValid;
  }
  if (!isValid) throw configError(file, loaded.problems);
  print(`${file} is well: it sets ${loaded.keys.length} ${loaded.keys.length === 1 ? 'key' : 'keys'}, the others are as by default.`);
  return true;
}
