import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { demoProblem, exposureProblem, servedAt, urlAt } from './served-at.ts';

const server = (listenAddr: string) => ({ server: { listenAddr } });

describe('where Sickbay is served', () => {
  test.each([
    { at: '127.0.0.1:0', flags: {}, want: { host: '127.0.0.1', port: 0 }, reason: 'the default' },
    { at: ':8080', flags: {}, want: { host: '0.0.0.0', port: 8080 }, reason: 'no address is every address' },
    { at: '[::1]:8080', flags: {}, want: { host: '::1', port: 8080 }, reason: 'IPv6' },
    { at: '0.0.0.0:8080', flags: { port: 9 }, want: { host: '0.0.0.0', port: 9 }, reason: 'a port of the command line' },
    {
      at: '0.0.0.0:8080',
      flags: { listen: { host: '127.0.0.1', port: 7 } },
      want: { host: '127.0.0.1', port: 7 },
      reason: 'an address of the command line',
    },
  ])('$at: $reason', ({ at, flags, want }) => expect(servedAt(server(at), flags)).toEqual(want));

  test.each([
    { host: '0.0.0.0', tls: false, want: 'http://127.0.0.1:80' },
    { host: '::', tls: true, want: 'https://[::1]:80' },
    { host: '10.0.0.7', tls: true, want: 'https://10.0.0.7:80' },
  ])('$host is reached at $want', ({ host, tls, want }) => expect(urlAt({ host, port: 80 }, tls)).toBe(want));
});

describe('an address that others reach', () => {
  const { gateway } = DEFAULT_SETTINGS;
  test.each([
    { host: '127.0.0.1', authentication: 'None' as const, refused: false },
    { host: 'localhost', authentication: 'None' as const, refused: false },
    { host: '::1', authentication: 'None' as const, refused: false },
    { host: '0.0.0.0', authentication: 'None' as const, refused: true },
    { host: '::', authentication: 'None' as const, refused: true },
    { host: '10.0.0.7', authentication: 'None' as const, refused: true },
    { host: 'sickbay.example.com', authentication: 'None' as const, refused: true },
    { host: '0.0.0.0', authentication: 'TokenFile' as const, refused: false },
    { host: '0.0.0.0', authentication: 'TokenReview' as const, refused: false },
  ])('$host with authentication $authentication: refused is $refused', ({ host, authentication, refused }) => {
    const problem = exposureProblem({ host, port: 8080 }, { gateway: { ...gateway, authentication } });
    if (refused)
      expect(problem).toMatch(/^(\[::\]|[a-z0-9.]+):8080 is not a loopback address.* set gateway\.authentication to TokenReview/);
    else expect(problem).toBeUndefined();
  });

  test('the demo has no token', () => {
    expect(demoProblem(DEFAULT_SETTINGS)).toBeUndefined();
    expect(demoProblem({ ...DEFAULT_SETTINGS, gateway: { ...gateway, authentication: 'TokenReview' } })).toMatch(/gateway\.authentication/);
  });
});
