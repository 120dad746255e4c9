import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { USER } from './image/root-folder.ts';
import { NODE_FLAGS } from './launch/plan.mjs';
import { root } from './program.ts';

const LONGEST_MS = 300_000;
const DOCKERFILE = 'deploy/server.Dockerfile';
const run = promisify(execFile);

const stages = readFileSync(join(root, DOCKERFILE), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('the Dockerfile makes an image of that folder and nothing else, for the same user and program', () => {
  expect(stages).toContain('RUN npm run -s server-image -- /image');
  expect(stages.slice(stages.indexOf('FROM scratch'))).toEqual([
    'FROM scratch',
    'COPY --from=build /image /',
    'ENV PATH=/usr/local/bin NODE_ENV=production',
    `USER ${USER}:${USER}`,
    'EXPOSE 8080',
    'ENTRYPOINT ["/usr/local/bin/node", "/app/bin/sickbay.mjs"]',
    'CMD ["run"]',
  ]);
});

describe.skipIf(process.platform !== 'linux')('the server image', { timeout: LONGEST_MS }, () => {
  const image = mkdtempSync(join(tmpdir(), 'sickbay-image-'));
  const files = (): readonly string[] => globSync('**/*', { cwd: image });

  beforeAll(async () => {
    await run(process.execPath, [...NODE_FLAGS, join(root, 'scripts/server-image.ts'), image], { timeout: LONGEST_MS });
  }, LONGEST_MS);
  afterAll(() => rmSync(image, { recursive: true, force: true }));

  test('has one program, Node, and neither a shell nor sources', () => {
    expect(globSync('{bin,sbin,usr/bin,usr/sbin,usr/local/bin}/*', { cwd: image })).toEqual(['usr/local/bin/node']);
    expect(files().filter((path) => path.endsWith('.ts') || path.endsWith('.map'))).toEqual([]);
  });

  test('runs Sickbay with all that it imports', async () => {
    const command = (...args: readonly string[]) => run(join(image, 'usr/local/bin/node'), [join(image, 'app/bin/sickbay.mjs'), ...args]);
    expect((await command('version')).stdout).toMatch(/^sickbay \d/);
    expect(await command('up', '--exit', '--log-level', 'warn')).toMatchObject({
      stdout: expect.stringContaining('Stopped.') as string,
      stderr: '',
    });
  });

  test('names what is in it, and its files have no time of their own', () => {
    const { components } = JSON.parse(readFileSync(join(image, 'app/sbom.cdx.json'), 'utf8')) as { readonly components: readonly object[] };
    const named = components.map((each) => (each as { readonly name: string }).name);
    expect(named).toEqual(expect.arrayContaining(['node', 'fastify', 'undici']));
    expect(named).not.toContain('vite');
    expect(new Set(files().map((path) => statSync(join(image, path)).mtimeMs))).toEqual(new Set([0]));
  });

  test('lets every user write to /tmp', () => {
    expect(statSync(join(image, 'tmp')).mode & 0o7777).toBe(0o1777);
  });
});
