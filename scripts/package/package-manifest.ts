import { lockedPackages, type LockedPackages } from './locked-packages.ts';

/** The project's package.json, as far as the package takes it over. */
export interface ProjectManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The command of the package, from its root. */
export const COMMAND = 'bin/sickbay.mjs';

/** The oldest Node that runs it: it reads Node's own SQLite. */
const ENGINES = { node: '>=24' };

/**
 * The package.json of the package: only the dependencies that its code imports. The project's own also has those that build the console, and
 * the Node that a checkout runs under.
 */
export function packageManifest(project: ProjectManifest, imported: readonly string[]): object {
  const missing = imported.filter((name) => !(name in project.dependencies));
  if (missing.length > 0) throw new Error(`not among the dependencies of package.json: ${missing.join(', ')}`);
  const { name, version, description, license } = project;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: ENGINES,
    bin: { [name]: COMMAND, [`kubectl-${name}`]: COMMAND },
    exports: {
      './effectiveness': {
        types: './src/controllers/effectiveness/library.d.ts',
        default: './src/controllers/effectiveness/library.js',
      },
      './package.json': './package.json',
    },
    dependencies: pinned(project, imported),
  };
}

const pinned = ({ dependencies }: ProjectManifest, names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(names.toSorted().map((name) => [name, dependencies[name]]));

/** The npm-shrinkwrap.json of the package: every installation has the versions that this project is tested with. */
export function packageShrinkwrap(project: ProjectManifest, imported: readonly string[], locked: LockedPackages): object {
  const { name, version, license } = project;
  const root = { name, version, license, dependencies: pinned(project, imported), engines: ENGINES };
  const packages = Object.fromEntries(lockedPackages(locked, imported).map((path) => [path, locked[path]]));
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': root, ...packages } };
}
