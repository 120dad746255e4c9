const IMPORT = /^(?:import|export)\b[^;]*?\bfrom '([^'.][^']*)';|^import '([^'.][^']*)';|\bimport\('([^'.][^']*)'\)/gm;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** The npm packages that a compiled module imports, at its start or later. */
export function importedPackages(code: string): readonly string[] {
  const found = [...code.replaceAll(COMMENT, '').matchAll(IMPORT)].map(([, one, two, three]) => one ?? two ?? three ?? '');
  return [...new Set(found.filter((from) => !from.startsWith('node:')).map(packageOf))];
}

/** `@scope/name/path` and `name/path` without the path. */
const packageOf = (from: string): string => {
  const parts = from.split('/');
  return parts.slice(0, from.startsWith('@') ? 2 : 1).join('/');
};
