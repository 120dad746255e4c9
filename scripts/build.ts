/** `npm run build [-- DIR]`: the npm package as a folder, `dist` when absent. `npm pack ./dist` makes a file of it. */
import { resolve } from 'node:path';
import { buildPackage } from './package/build-package.ts';
import { root } from './program.ts';

const [into = 'dist'] = process.argv.slice(2);
await buildPackage(resolve(root, into));
console.log(`built ${into}: npm pack ./${into} makes a file of it, npm install --global ./${into} installs it`);
