import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BUILTIN_SCHEMAS_FILE, builtinSchemasText } from '../../scripts/generate/builtin-schemas.ts';
import { bothServers } from '../../src/apiserver/testing/both-servers.ts';
import { describeOnControlPlane } from '../../src/testkit/lanes.ts';

describeOnControlPlane('schemas of built-in kinds', (plane) => {
  test('are what this server says: else run npm run generate:builtins', async () => {
    const servers = bothServers(plane());
    try {
      expect(await builtinSchemasText(servers.real)).toBe(readFileSync(BUILTIN_SCHEMAS_FILE, 'utf8'));
    } finally {
      await servers.close();
    }
  });
});
