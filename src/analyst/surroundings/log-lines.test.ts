import { describe, expect, test } from 'vitest';
import { lastLines, plainText, writtenLines } from './log-lines.ts';

describe('lastLines', () => {
  test('are the last five that say something', () => expect(lastLines('a\n\nb\nc\r\nd\ne\nf\n')).toEqual(['b', 'c', 'd', 'e', 'f']));
  test('of a binary log are readable, and short', () => {
    const [line = ''] = lastLines(`\u001B[31mpanic\u001B[0m\u0000\u0007 ${'x'.repeat(1_000)}`);
    expect(line).toMatch(/^panic x+/);
    expect(line.length).toBeLessThanOrEqual(240);
  });
  test('of an empty log are none', () => expect(lastLines('\n')).toEqual([]));
});

describe('a log that is not kept', () => {
  test.each([
    ['unable to retrieve container logs for containerd://0123abcd', ''],
    ['unable to retrieve container logs for cri-o://0123abcd\n', ''],
    [
      'failed to try resolving symlinks in path "/var/log/pods/shop_a_1/app/0.log": lstat /var/log/pods/shop_a_1/app/0.log: no such file or directory',
      '',
    ],
    ['starting\nunable to retrieve container logs for docker://0123abcd', 'starting'],
    ['fatal: unable to retrieve container logs for the report', 'fatal: unable to retrieve container logs for the report'],
    ['unable to retrieve container logs for two reasons', 'unable to retrieve container logs for two reasons'],
  ])('says nothing of the container: %s', (given, want) => expect(writtenLines(given)).toBe(want));
});

describe('what looks like a secret', () => {
  test.each([
    ['password=hunter22 rejected', 'password=******** rejected'],
    ['{"api_key":"abcdef123"}', '{"api_key":"********"}'],
    ['Authorization: Bearer abcdefgh12345', 'Authorization: Bearer ********'],
    ['dial postgres://shop:s3cret@db:5432/orders', 'dial postgres://shop:********@db:5432/orders'],
    ['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.abc-def', 'got ********'],
    ['connection refused', 'connection refused'],
  ])('is hidden: %s', (given, want) => expect(plainText(given)).toBe(want));
});
