import { createHash } from 'node:crypto';
import { lazy } from '../../base/index.ts';
import type { GroupVersion } from '../discovery/groups.ts';
import { componentsOf } from './components.ts';
import { pathsOf } from './operations.ts';

/** A path, and the function that makes its document. */
export type OpenApiPage = readonly [path: string, make: () => object];

const ROOT = '/openapi/v3';

/** One document per version of each group, and an index with a hash for each, by which clients notice changes. */
export function openApiDocuments(versions: readonly GroupVersion[]): readonly OpenApiPage[] {
  const documents = versions.map((version) => ({ name: nameOf(version), make: lazy(() => documentOf(version)) }));
  const index = (): object => ({
    paths: Object.fromEntries(documents.map(({ name, make }) => [name, { serverRelativeURL: `${ROOT}/${name}?hash=${hashOf(make())}` }])),
  });
  return [[ROOT, index], ...documents.map(({ name, make }): OpenApiPage => [`${ROOT}/${name}`, make])];
}

const nameOf = ({ group, version }: GroupVersion): string => (group === '' ? `api/${version}` : `apis/${group}/${version}`);

function documentOf(version: GroupVersion): object {
  const paths = pathsOf(version);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.0' },
    paths,
    components: { schemas: componentsOf(version, paths) },
  };
}

const hashOf = (document: object): string => createHash('sha512').update(JSON.stringify(document)).digest('hex').toUpperCase();
