import { configError, loadConfig } from '../../config/index.ts';

/** The output of `sickbay config check`. */
export interface CheckFlags {
  readonly output: 'text' | 'json';
}

/**
 * Checks a config file; true when it is valid. In text output an invalid file is an error that lists all mistakes;
 * in JSON the result is printed either way.
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
  print(`${file} is valid: it sets ${loaded.keys.length} ${loaded.keys.length === 1 ? 'key' : 'keys'}, the others have their defaults.`);
  return true;
}
