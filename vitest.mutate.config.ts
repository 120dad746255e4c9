import { defineConfig } from 'vitest/config';

/** What `npm run mutate` runs against each mutant: the tests beside the code, without servers and without the tools' own. */
export default defineConfig({
  test: { include: ['src/**/*.test.ts'], exclude: ['**/*.real.test.ts', '**/*.cluster.test.ts'] },
});
