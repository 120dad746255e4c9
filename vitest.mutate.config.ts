import { defineConfig } from 'vitest/config';

/** What `npm run mutate` runs against each mutant: the tables beside the code, without servers, seeds and the tools' own tests. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    exclude: ['**/*.real.test.ts', '**/*.cluster.test.ts', '**/*.tekton.test.ts', '**/*.sim.test.ts'],
  },
});
