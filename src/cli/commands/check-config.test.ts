import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkConfig } from './check-config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sickbay-check-'));
  await writeFile(join(folder, 'one'), 'dryRun: true');
  await writeFile(join(folder, 'none'), '{}');
  await writeFile(join(folder, 'bad'), 'dryRun: 1\nnope: 2');
});
afterAll(() => rm(folder, { recursive: true }));

async function check(name: string, output: 'text' | 'json') {
  const printed: string[] = [];
  const isValid = await checkConfig(join(folder, name), { output }, (line) => void printed.push(line));
  return { isValid, printed: printed.join('\n') };
}

describe('config check', () => {
  test.each([
    ['one', 'is valid: it sets 1 key, the others have their defaults.'],
    ['none', 'is valid: it sets 0 keys, the others have their defaults.'],
  ])('%s %s', async (name, want) => expect(await check(name, 'text')).toEqual({ isValid: true, printed: `${join(folder, name)} ${want}` }));

  test('a bad file is an error that names all that is wrong', async () =>
    expect(check('bad', 'text')).rejects.toMatchObject({
      code: 'Invalid',
      message: expect.stringMatching(/has 2 problems:\n.*bad:1:1: dryRun is 1.*\n.*bad:2:1: nope/) as unknown,
    }));

  test('in JSON', async () => {
    const good = await check('one', 'json');
    expect(good.isValid).toBe(true);
    expect(JSON.parse(good.printed)).toEqual({ file: join(folder, 'one'), valid: true, sets: ['dryRun'], problems: [] });
    const bad = await check('bad', 'json');
    expect(bad.isValid).toBe(false);
    expect(JSON.parse(bad.printed)).toMatchObject({
      valid: false,
      sets: [],
      problems: [
        { line: 1, column: 1, key: 'dryRun', message: 'dryRun is 1: wants true or false' },
        { line: 2, column: 1, key: 'nope' },
      ],
    });
  });

  test('a file that is not there has no line', async () => {
    const { printed } = await check('gone', 'json');
    expect((JSON.parse(printed) as { problems: unknown }).problems).toEqual([{ message: expect.stringContaining('ENOENT') as unknown }]);
  });
});
