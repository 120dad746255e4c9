import { describe, expect, test } from 'vitest';
import { readHead, readLine } from './read-request.ts';

describe('the request line', () => {
  test.each([
    { reason: 'no query', target: '/api/v1/pods', query: {} },
    { reason: 'the first of two counts', target: '/x?a=1&a=2', query: { a: '1' } },
    { reason: 'encoded', target: '/x?a=b%20c+d', query: { a: 'b c d' } },
    { reason: 'what has a semicolon is no pair', target: '/x?limit=1;watch=1&b=2', query: { b: '2' } },
    { reason: 'what cannot be decoded is no pair', target: '/x?a=%zz&b=%41', query: { b: 'A' } },
    { reason: 'half an escape', target: '/x?%', query: {} },
  ])('$reason', ({ target, query }) => expect(readLine('GET', target).query).toEqual(query));

  test('a path is decoded, but keeps its segments', () => {
    expect(readLine('GET', '/api/v1/namespaces/a%62').path).toBe('/api/v1/namespaces/ab');
    expect(() => readLine('GET', '/api/v1/a%2Fb')).toThrow(/slash/);
    expect(() => readLine('GET', '/api/v1/%')).toThrow(/not a path/);
  });

  test('any method is read, so that rights come first', () => {
    const line = readLine('FROB', '/api/v1/pods');
    expect(line.method).toBe('FROB');
    expect(() => readHead(line, {})).toThrow(/does not allow this method/);
  });
});

describe('forms', () => {
  const read = (method: string, type: string | undefined) =>
    readHead(readLine(method, '/api/v1/pods'), type === undefined ? {} : { 'content-type': type });

  test.each([
    { method: 'POST', type: undefined, notation: 'json' },
    { method: 'POST', type: '', notation: 'json' },
    { method: 'DELETE', type: '', notation: 'json' },
    { method: 'PUT', type: 'Application/YAML; charset=utf-8', notation: 'yaml' },
    { method: 'PATCH', type: 'application/merge-patch+json', notation: 'json' },
  ])('$method of "$type" is $notation', ({ method, type, notation }) => expect(read(method, type).bodyNotation).toBe(notation));

  test.each([
    { method: 'POST', type: 'text/plain' },
    { method: 'POST', type: ';' },
    { method: 'POST', type: 'application/merge-patch+json' },
    { method: 'PATCH', type: undefined },
    { method: 'PATCH', type: '' },
    { method: 'PATCH', type: 'application/json' },
  ])('$method of "$type" is refused', ({ method, type }) => expect(() => read(method, type)).toThrow(/unknown format/));
});
