import { expect, test } from 'vitest';
import { importedPackages } from './imported-packages.ts';

test.each([
  { code: "import { parse } from 'yaml';", want: ['yaml'], reason: 'an import' },
  { code: "import {\n  one,\n  two,\n} from 'typebox/value';", want: ['typebox'], reason: 'over several lines, of a path in the package' },
  { code: "export * from '@scope/name/path';", want: ['@scope/name'], reason: 'a name with a scope' },
  { code: "import 'pino';", want: ['pino'], reason: 'an import for its effect' },
  { code: "const { fastify } = await import('fastify');", want: ['fastify'], reason: 'an import at run time' },
  { code: "import fs from 'node:fs';\nimport { a } from './a.js';", want: [], reason: 'Node and files of ours are no packages' },
  { code: "/** import { x } from 'sickbay'; */\n// import('other')\n", want: [], reason: 'comments import nothing' },
  { code: "import { a } from 'yaml';\nimport { b } from 'yaml';", want: ['yaml'], reason: 'each is named once' },
])('the packages of a module: $reason', ({ code, want }) => {
  expect(importedPackages(code)).toEqual(want);
});
