import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../kube/client/errors.ts';
import { readProtobuf } from './read-protobuf.ts';

/** Messages as a test writes them down: fields in order, numbers as numbers, texts and messages as bytes. */
type Field = readonly [number: number, value: number | bigint | string | Buffer];

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  do {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(bytes);
}

const message = (...fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number' || typeof value === 'bigint') return [varint(BigInt(number * 8)), varint(BigInt(value))];
      const bytes = Buffer.from(value);
      return [varint(BigInt(number * 8 + 2)), varint(BigInt(bytes.length)), bytes];
    }),
  );

const body = (apiVersion: string, kind: string, object: Buffer): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), message([1, message([1, apiVersion], [2, kind])], [2, object], [3, ''], [4, ''])]);

describe('a body in protobuf', () => {
  test('as kubectl 1.36 sends it for `create namespace shop`', () => {
    const sent = '6b3873000a0f0a02763112094e616d657370616365121c0a140a0473686f7012001a0022002a0032003800420012001a020a001a002200';
    expect(readProtobuf(Buffer.from(sent, 'hex'))).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop' },
      spec: {},
      status: {},
    });
  });

  test('numbers, truths and texts; what may be absent keeps its zero', () => {
    const spec = message([1, 0], [7, 0], [5, 0], [9, -1n]);
    const object = message([1, message([1, 'web'], [7, 0])], [2, spec]);
    expect(readProtobuf(body('apps/v1', 'Deployment', object))).toMatchObject({
      metadata: { name: 'web' },
      spec: { replicas: 0, progressDeadlineSeconds: -1 },
    });
    expect(readProtobuf(body('apps/v1', 'Deployment', object))['spec']).not.toHaveProperty('paused');
  });

  test('lists, maps and bytes', () => {
    const secret = message(
      [1, message([11, message([1, 'a'], [2, 'b'])], [11, message([1, 'c'], [2, ''])], [14, 'x/y'], [14, 'z'])],
      [2, message([1, 'token'], [2, Buffer.from([1, 2, 255])])],
      [5, 1],
    );
    expect(readProtobuf(body('v1', 'Secret', secret))).toMatchObject({
      metadata: { labels: { a: 'b', c: '' }, finalizers: ['x/y', 'z'] },
      data: { token: 'AQL/' },
      immutable: true,
    });
  });

  test('times, quantities, ports and texts in texts', () => {
    const time = message([1, 1_794_700_800], [2, 0]);
    const port = (value: Buffer): Buffer => message([2, 'TCP'], [3, 80], [4, value]);
    const event = message([1, message([1, 'e'], [8, time])], [6, message()], [10, message([1, 1_794_700_800], [2, 5_012_345])]);
    expect(readProtobuf(body('v1', 'Event', event))).toMatchObject({
      metadata: { creationTimestamp: '2026-11-15T00:00:00Z' },
      eventTime: '2026-11-15T00:00:00.005012Z',
    });
    expect(readProtobuf(body('v1', 'Event', event))).not.toHaveProperty('firstTimestamp');
    const service = message([2, message([1, port(message([1, 0], [2, 8080], [3, '']))], [1, port(message([1, 1], [2, 0], [3, 'http']))])]);
    expect(readProtobuf(body('v1', 'Service', service))).toMatchObject({ spec: { ports: [{ targetPort: 8080 }, { targetPort: 'http' }] } });
    const quota = message([2, message([1, message([1, 'pods'], [2, message([1, '5'])])])]);
    expect(readProtobuf(body('v1', 'ResourceQuota', quota))).toMatchObject({ spec: { hard: { pods: '5' } } });
    const review = message([2, message([5, message([1, 'scopes'], [2, message([1, 'a'], [1, 'b'])])])]);
    expect(readProtobuf(body('authorization.k8s.io/v1', 'SubjectAccessReview', review))).toMatchObject({
      spec: { extra: { scopes: ['a', 'b'] } },
    });
  });

  test('a message that stands in the outer one', () => {
    const volume = message([1, 'v'], [2, message([2, message([1, ''])])]);
    const pod = message([2, message([1, volume])]);
    expect(readProtobuf(body('v1', 'Pod', pod))).toMatchObject({ spec: { volumes: [{ name: 'v', emptyDir: {} }] } });
  });

  test('packed numbers and unknown fields', () => {
    const pod = message([2, message([14, message([4, Buffer.from([1, 0x80, 1])], [4, 7])])], [99, 'later'], [98, 5]);
    expect(readProtobuf(body('v1', 'Pod', pod))).toMatchObject({ spec: { securityContext: { supplementalGroups: [1, 128, 7] } } });
  });

  test('options of a deletion, under the group that they are sent to', () => {
    expect(readProtobuf(body('apps/v1', 'DeleteOptions', message([1, 0], [4, 'Orphan'])))).toMatchObject({
      gracePeriodSeconds: 0,
      propagationPolicy: 'Orphan',
    });
  });
});

describe('what is refused', () => {
  const cases = [
    { reason: 'no protobuf', sent: Buffer.from('{}'), code: 400 },
    { reason: 'a kind without messages', sent: body('example.com/v1', 'Widget', Buffer.alloc(0)), code: 415 },
    { reason: 'a field that is cut off', sent: body('v1', 'Pod', Buffer.from([0x0a, 0x7f, 0x01])), code: 400 },
    { reason: 'a number that is cut off', sent: body('v1', 'Pod', Buffer.from([0x08, 0x80])), code: 400 },
    { reason: 'a number without an end', sent: body('v1', 'Pod', Buffer.alloc(12, 0xff)), code: 400 },
    { reason: 'an unknown form', sent: body('v1', 'Pod', Buffer.from([0x0b])), code: 400 },
    { reason: 'a number for a message', sent: body('v1', 'Pod', message([1, 5])), code: 400 },
    { reason: 'a text for a number', sent: body('apps/v1', 'Deployment', message([2, message([1, 'x'])])), code: 400 },
    { reason: 'JSON that is none', sent: body('apps/v1', 'ControllerRevision', message([2, message([1, '{'])])), code: 400 },
  ];
  test.each(cases)('$reason', ({ sent, code }) => {
    expect(() => readProtobuf(sent)).toThrow(expect.objectContaining({ httpCode: code }) as Error);
  });

  test('any bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom('Pod', 'Secret', 'Event', 'Service'), (bytes, kind) => {
        try {
          readProtobuf(body('v1', kind, Buffer.from(bytes)));
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});
