import type { KindDefinition } from '../../src/api/index.ts';
import { table } from './markdown.ts';
import { pageName } from './kind-page.ts';

/** The list of all reference pages. */
export const kindIndex = (kinds: readonly KindDefinition[]): string =>
  [
    '# Kinds',
    '',
    'One page per kind, generated from `src/api` by `node scripts/generate.ts`. The CustomResourceDefinitions are in `deploy/crds`.',
    '',
    table(
      ['kind', 'group', 'short names', 'what it is'],
      kinds.map((kind) => [`[${kind.kind}](${pageName(kind)})`, kind.group, kind.shortNames.join(', '), kind.description]),
    ),
    '',
  ].join('\n');
