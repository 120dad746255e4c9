/** An entry of package-lock.json, as far as it is read here. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The packages of a lockfile, by their folders. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

const NODE_MODULES = 'node_modules/';

/** The folders of these packages and of all that they depend on, in a stable order. Optional packages that are not there are left out. */
export function lockedPackages(packages: LockedPackages, names: readonly string[]): readonly string[] {
  const found = new Set(names.map((name) => placeOf(packages, '', name)));
  for (const path of found) {
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys(dependencies)) if (!(name in optionalDependencies)) found.add(placeOf(packages, path, name));
    for (const name of Object.keys(optionalDependencies)) {
      const optional = nearest(packages, path, name);
      if (optional !== undefined) found.add(optional);
    }
  }
  return [...found].toSorted();
}

function placeOf(packages: LockedPackages, from: string, name: string): string {
  const path = nearest(packages, from, name);
  if (path === undefined) throw new Error(`package-lock.json has no ${name}, which ${from || 'the package'} needs: run npm install`);
  return path;
}

/** Where Node finds a package that is imported from a folder: the nearest node_modules upwards. */
function nearest(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ;) {
    const path = `${folder === '' ? '' : `${folder}/`}${NODE_MODULES}${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
    const end = folder.lastIndexOf(`/${NODE_MODULES}`);
    folder = end < 0 ? '' : folder.slice(0, end);
  }
}
