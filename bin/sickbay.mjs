#!/usr/bin/env node
// The `sickbay` command: runs src/cli/main.ts under a Node that can, and installs what is missing first.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, '--production', 'src/cli/main.ts');
process.argv[1] = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url));
await import('../scripts/run.mjs');
