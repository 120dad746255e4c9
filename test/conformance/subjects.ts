import { apiVersionOf, kinds, type KindDefinition } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { badValues, validObjects } from '../../src/testkit/bad-values.ts';
import type { Edit } from './edit.ts';

/** A kind that sequences are about. */
export interface Subject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  readonly isCustom: boolean;
  /** Objects that are right, without metadata. */
  readonly good: readonly JsonObject[];
  /** Objects that are wrong, without metadata. */
  readonly bad: readonly JsonObject[];
  /** Changes that a body may have, good and bad. */
  readonly edits: readonly Edit[];
  /** What a status may be. */
  readonly statuses: readonly unknown[];
  readonly fieldSelectors: readonly string[];
}

/** Where a subject's objects are. */
export const collectionOf = ({ apiVersion, plural, namespaced }: Subject, namespace: string): string => {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
};

const builtin = (subject: Partial<Subject> & Pick<Subject, 'kind' | 'plural' | 'good' | 'edits'>): Subject => ({
  apiVersion: 'v1',
  namespaced: true,
  hasStatus: false,
  isCustom: false,
  bad: [],
  statuses: [],
  fieldSelectors: [],
  ...subject,
});

const at = (path: string, ...values: readonly unknown[]): readonly Edit[] => values.map((value) => ({ path: path.split('.'), value }));

/**
 * Kubernetes' hand-written validation of built-in kinds is not part of what is compared, so these bodies are such that it has
 * nothing to say; types, unknown fields and everything about metadata is.
 */
const BUILTIN_SUBJECTS: readonly Subject[] = [
  builtin({
    kind: 'ConfigMap',
    plural: 'configmaps',
    good: [{ data: { a: '1' } }, {}, { data: { a: '1', b: 'two\nlines' }, binaryData: { c: 'ZA==' } }],
    edits: [
      ...at('data.a', '2', '', null, 1, true, {}, []),
      ...at('data', null, {}, [], 'x', { 'k.1_-': 'v' }),
      ...at('binaryData.d', 'ZA==', '??', 5, null),
      ...at('immutable', false, 'yes', 1),
    ],
  }),
  builtin({
    kind: 'Secret',
    plural: 'secrets',
    good: [{ data: { a: 'ZA==' } }, { stringData: { a: 'x' } }, {}, { type: 'Opaque', data: { k: '' } }],
    edits: [
      ...at('data.a', 'ZGU=', '', null, '??', 1),
      ...at('stringData.s', 'text', '', null, 5),
      ...at('data', null, [], 'x'),
      ...at('stringData', null, {}),
      ...at('immutable', false, 'no'),
    ],
    fieldSelectors: ['type=Opaque', 'type!=Opaque'],
  }),
  builtin({
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    plural: 'leases',
    good: [{ spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } }, {}, { spec: { renewTime: '2026-01-01T00:00:00.000001Z' } }],
    edits: [
      ...at('spec.holderIdentity', 'you', '', null, 5),
      ...at('spec.leaseDurationSeconds', 30, null, '30', 1.5),
      ...at('spec.renewTime', '2026-01-01T01:00:00.000001+01:00', 'now', '2026-01-01T00:00:00Z', 5),
      ...at('spec', null, 'x', []),
      ...at('spec.leaseTransitions', 1, true),
    ],
  }),
  builtin({
    kind: 'Event',
    plural: 'events',
    good: [
      { involvedObject: { kind: 'Pod', name: 'p', namespace: '{{ns}}' }, reason: 'Because', message: 'so', type: 'Normal' },
      {
        involvedObject: { kind: 'Pod', namespace: '{{ns}}' },
        count: 3,
        firstTimestamp: '2026-01-01T00:00:00Z',
        source: { component: 'us' },
      },
    ],
    edits: [
      ...at('message', 'other', null, 5),
      ...at('count', 4, '4', null, 1.5),
      ...at('lastTimestamp', '2026-01-01T00:00:00+01:00', 'x', null),
      ...at('source', { host: 'h' }, 'x', null),
      ...at('source.component', 'they'),
      ...at('type', 'Warning', []),
      ...at('related', { kind: 'Node', name: 'n' }, null),
    ],
    fieldSelectors: ['reason=Because', 'type=Normal,involvedObject.kind=Pod', 'source=us', 'involvedObject.name=p'],
  }),
  builtin({
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
    hasStatus: true,
    good: [{}, { spec: {} }],
    edits: [...at('spec', null, 'x', { finalizers: ['kubernetes'] }), ...at('spec.finalizers', 5), ...at('status', { phase: 'Active' }, 5)],
    statuses: [
      { phase: 'Active' },
      { phase: 'Active', conditions: [{ type: 'T', status: 'True' }] },
      {
        phase: 'Active',
        conditions: [
          { type: 'T', status: 'False', reason: 'R' },
          { type: 'U', status: 'True' },
        ],
      },
      'x',
      { phase: 5 },
    ],
    fieldSelectors: ['status.phase=Active', 'status.phase=Terminating'],
  }),
];

const WRONG: readonly unknown[] = [null, 1, -1, 1.5, 'x', '', true, [], {}, 'x'.repeat(300), ['x', 'x']];

function custom(kind: KindDefinition): Subject {
  const good = validObjects(kind).map(bodyOf);
  const bad = badValues(kind).flatMap((value) => ('object' in value && value.subresource === undefined ? [bodyOf(value.object)] : []));
  const badStatuses = badValues(kind).flatMap((value) => ('object' in value && value.subresource ? [value.object.status] : []));
  return {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    plural: kind.plural,
    namespaced: kind.namespaced,
    hasStatus: good.some((object) => object.status !== undefined),
    isCustom: true,
    good,
    bad,
    edits: pathsIn(good[0]!.spec, ['spec']).flatMap((path) => WRONG.map((value) => ({ path, value }))),
    statuses: [...good.map((object) => object.status), ...badStatuses, 'x', {}],
    fieldSelectors: ['spec.nothing=1'],
  };
}

/** An object as it is sent, but for its metadata. */
function bodyOf(object: JsonObject): JsonObject {
  const { metadata: _metadata, ...rest } = object;
  return rest;
}

function pathsIn(value: unknown, path: readonly (string | number)[]): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...members.flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

/** Our kinds and the built-in ones that we depend on most. */
export const SUBJECTS: readonly Subject[] = [...kinds.map(custom), ...BUILTIN_SUBJECTS];
