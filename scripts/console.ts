/** `npm run console`: builds the web console; `-- --watch [--server URL]` serves it for development, with changes applied as they are saved. */
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { buildConsole } from '../console/build/build.ts';
import { CONSOLE_FOLDER, DIST_FOLDER } from '../console/build/sources.ts';

const { values } = parseArgs({ options: { watch: { type: 'boolean', default: false }, server: { type: 'string' } } });
if (values.watch) await watch(values.server);
else {
  await buildConsole();
  console.log(`built ${DIST_FOLDER}`);
}

async function watch(server: string | undefined): Promise<void> {
  if (server !== undefined) process.env['SICKBAY_URL'] = server;
  const { createServer } = await import('vite');
  const vite = await createServer({ configFile: join(CONSOLE_FOLDER, 'vite.config.ts'), logLevel: 'info' });
  await vite.listen();
  vite.printUrls();
}
