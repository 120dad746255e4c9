#!/usr/bin/env node
// The `sickbay` command of the package. Plain JavaScript that any Node can read: an old one is told which it needs.
const NEEDED = 24;
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < NEEDED) {
  console.error(`sickbay needs Node ${NEEDED} or newer; this is ${process.version}. Install Node ${NEEDED} and try again.`);
  process.exitCode = 1;
} else {
  await import(new URL('../src/cli/main.js', import.meta.url).href);
}
