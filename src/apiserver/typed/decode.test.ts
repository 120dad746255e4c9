import { describe, expect, test } from 'vitest';
import { deepFreeze, type JsonObject } from '../../base/index.ts';
import { decodeInto, DecodeError, emptyStatus } from './decode.ts';
import { objectMeta, typeOfKind, type StructNode } from './typed-node.ts';

const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
const core = (kind: string): StructNode => typeOfKind({ group: '', version: 'v1', kind });
const pod = (spec: JsonObject): JsonObject => ({ metadata: {}, spec: { containers: [], ...spec } });
const container = (rest: JsonObject): JsonObject => pod({ containers: [{ name: 'a', image: 'i', ...rest }] });

function refusal(type: StructNode, value: unknown): string {
  try {
    decodeInto(type, value, []);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('what does not fit its type', () => {
  test.each([
    { given: 'q', says: 'json: cannot unmarshal string into Go value of type v1.ObjectMeta' },
    { given: { name: 1 }, says: 'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string' },
    { given: { labels: [] }, says: 'json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string' },
    { given: { labels: { a: true } }, says: 'json: cannot unmarshal bool into Go struct field ObjectMeta.labels of type string' },
    { given: { generation: 1.5 }, says: 'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64' },
    { given: { creationTimestamp: 'yesterday' }, says: 'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse' },
    {
      given: { creationTimestamp: 1 },
      says: 'json: cannot unmarshal number into Go struct field ObjectMeta.creationTimestamp of type string',
    },
    { given: { finalizers: 'a' }, says: 'json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string' },
    { given: { finalizers: [1] }, says: 'json: cannot unmarshal number into Go struct field ObjectMeta.finalizers of type string' },
    {
      given: { ownerReferences: ['x'] },
      says: 'json: cannot unmarshal string into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference',
    },
    {
      given: { ownerReferences: [{ ...OWNER, controller: 'yes' }] },
      says: 'json: cannot unmarshal string into Go struct field OwnerReference.ownerReferences.controller of type bool',
    },
  ])('metadata $given', ({ given, says }) => expect(refusal(objectMeta(), given)).toBe(says));

  test.each([
    {
      given: container({ tty: 'yes' }),
      says: 'json: cannot unmarshal string into Go struct field Container.spec.containers.tty of type bool',
    },
    {
      given: pod({ containers: {} }),
      says: 'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    },
    {
      given: pod({ activeDeadlineSeconds: '5' }),
      says: 'json: cannot unmarshal string into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
    },
    {
      given: container({ ports: [{ containerPort: 3_000_000_000 }] }),
      says: 'json: cannot unmarshal number 3000000000 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
    },
    {
      given: container({ resources: { limits: { cpu: 'much' } } }),
      says: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
    {
      given: container({ livenessProbe: { httpGet: { port: true } } }),
      says: 'json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.httpGet.port of type int32',
    },
  ])('$says', ({ given, says }) => expect(refusal(core('Pod'), given)).toBe(says));
});

describe('what is read', () => {
  const read = (type: StructNode, value: unknown): { readonly value: JsonObject; readonly unknown: readonly string[] } => {
    const unknown: string[] = [];
    return { value: decodeInto(type, value, unknown), unknown };
  };

  test('unknown fields are dropped and told, wherever they are', () => {
    const { value, unknown } = read(core('ConfigMap'), { metadata: { bar: 1, ownerReferences: [{ ...OWNER, foo: 1 }] }, zoo: {} });
    expect(unknown).toEqual(['metadata.bar', 'metadata.ownerReferences[0].foo', 'zoo']);
    expect(value).toEqual({ metadata: { ownerReferences: [OWNER] } });
  });

  test.each([
    { reason: 'null is absent', given: { data: null, immutable: null }, is: {} },
    { reason: 'null in a map is an empty text', given: { data: { a: null } }, is: { data: { a: '' } } },
    { reason: 'an empty map is absent', given: { data: {} }, is: {} },
    { reason: 'false is something', given: { immutable: false }, is: { immutable: false } },
    { reason: 'undefined is absent', given: { data: undefined }, is: {} },
    {
      reason: 'a key may be called anything',
      given: { data: JSON.parse('{"__proto__":"x"}') as object },
      is: { data: JSON.parse('{"__proto__":"x"}') as object },
    },
  ])('$reason', ({ given, is }) => expect(read(core('ConfigMap'), given).value).toEqual({ metadata: {}, ...is }));

  test('a null in a list is an empty item, with its defaults', () =>
    expect(read(core('Pod'), container({ ports: [null] })).value).toMatchObject({
      spec: { containers: [{ ports: [{ containerPort: 0, protocol: 'TCP' }] }] },
    }));

  test('numbers and texts are told apart where both are allowed', () =>
    expect(read(core('Service'), { spec: { ports: [{ port: 80, targetPort: 'web' }, { port: 81 }] } }).value).toMatchObject({
      spec: { ports: [{ targetPort: 'web' }, { targetPort: 81 }] },
    }));

  test('what may be anything stays as it is', () => {
    const schema = { type: 'object', additionalProperties: { type: 'string', foo: 1 } };
    const crd = {
      spec: {
        group: 'g',
        scope: 'Cluster',
        names: { plural: 'ps', kind: 'P' },
        versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }],
      },
    };
    const { value } = read(typeOfKind({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }), crd);
    expect(value).toMatchObject({ spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } });
  });

  test('what was sent is never shared, and never changed', () => {
    const given = { metadata: { labels: { a: 'b' } }, data: { a: 'b' } };
    const { value } = read(core('ConfigMap'), given);
    deepFreeze(value);
    given.data.a = 'c';
    given.metadata.labels.a = 'c';
    expect(value).toEqual({ metadata: { labels: { a: 'b' } }, data: { a: 'b' } });
  });

  test('what is frozen and right is shared, also when it is seen again', () => {
    const whole = deepFreeze(read(core('Pod'), container({ args: ['x'] })).value);
    expect(read(core('Pod'), whole).value).toBe(whole);
    const other = read(core('Pod'), { ...whole, metadata: { name: 'b' } }).value;
    expect(other.spec).toBe(whole.spec);
  });

  test('what is frozen and not right is not', () => {
    const bogus = deepFreeze(container({ bogus: 1 }));
    for (let i = 0; i < 2; i++) expect(read(core('Pod'), bogus).unknown).toEqual(['spec.containers[0].bogus']);
  });
});

describe('an empty status', () => {
  test.each([
    { kind: 'Pod', status: {} },
    { kind: 'Service', status: { loadBalancer: {} } },
    { kind: 'ConfigMap', status: undefined },
  ])('of $kind', ({ kind, status }) => expect(emptyStatus(core(kind))).toEqual(status));
});

test('no other types are known', () => expect(() => core('Widget')).toThrow('no built-in type is called Widget'));
