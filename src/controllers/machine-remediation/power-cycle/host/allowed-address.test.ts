import { describe, expect, test } from 'vitest';
import { isAllowedAddress } from './allowed-address.ts';

describe('the allow-list of management controllers (ruling 122)', () => {
  test.each<readonly [string, string, boolean]>([
    ['https://10.20.1.7', '10.20.0.0/16', true],
    ['https://10.21.1.7', '10.20.0.0/16', false],
    ['https://10.20.1.7:8443', '10.20.1.7', true],
    ['https://10.20.1.8', '10.20.1.7', false],
    ['http://127.0.0.1:6443', '10.0.0.0/8, 192.168.0.0/16', false],
    ['https://192.168.3.4', '10.0.0.0/8, 192.168.0.0/16', true],
    ['https://[fd00::7]', 'fd00::/8', true],
    ['https://[fe80::7]', 'fd00::/8', false],
    ['https://[::ffff:10.20.1.7]', '10.20.0.0/16', false],
    ['https://bmc-1.rack.example.com', 'bmc-1.rack.example.com', true],
    ['https://bmc-1.rack.example.com', '*.rack.example.com', true],
    ['https://rack.example.com', '*.rack.example.com', false],
    ['https://evilrack.example.com', '*.rack.example.com', false],
    ['https://BMC-1.example.com', 'bmc-1.example.com', true],
    ['https://bmc-1.example.com', 'BMC-1.example.com', true],
    ['https://bmc-1.example.com', '10.0.0.0/8', false],
    ['https://10.0.0.7', '*.0.0.7', false],
    ['https://10.0.0.7', '10.0.0.0/33', false],
    ['https://10.0.0.7', '10.0.0.0/x', false],
    ['https://10.0.0.7', '10.0.0.0/', false],
    ['https://10.0.0.7', '*', true],
    ['https://10.0.0.7', '', false],
  ])('%s among %j: %s', (address, allowed, want) => expect(isAllowedAddress(address, allowed)).toBe(want));
});
