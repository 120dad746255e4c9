import fc from 'fast-check';
import type { Edit } from './edit.ts';
import type { Body, Step } from './step.ts';
import type { Subject } from './subjects.ts';

/** Generated requests about one kind, right and wrong. */
export function sequencesOf(subject: Subject): fc.Arbitrary<readonly Step[]> {
  const first: Step = {
    verb: 'create',
    name: nameIn(subject, 'a'),
    query: {},
    type: JSON_TYPE,
    body: { from: 'good', pick: 0, edits: [] },
  };
  return fc.array(anyStep(subject), { minLength: 3, maxLength: 14 }).map((steps) => [first, ...steps]);
}

const JSON_TYPE = 'application/json';
const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

function anyStep(subject: Subject): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 6, arbitrary: creation(subject) },
    { weight: 5, arbitrary: update(subject) },
    { weight: 6, arbitrary: patch(subject) },
    { weight: 3, arbitrary: reading(subject) },
    { weight: 4, arbitrary: listing(subject) },
    { weight: 4, arbitrary: deletion(subject) },
    { weight: 1, arbitrary: oddity(subject) },
  );
}

/** Names of kinds that are not in a namespace must be the sequence's own. */
const nameIn = ({ namespaced }: Subject, name: string): string => (namespaced ? name : `{{ns}}-${name}`);

const someName = (subject: Subject): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 12, arbitrary: fc.constantFrom('a', 'b', 'c') },
      { weight: 1, arbitrary: fc.constantFrom('nope', 'B_d', 'n'.repeat(254)) },
    )
    .map((name) => nameIn(subject, name));

const sometimes = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

/** A step without what is undefined. */
const step = <T extends Record<string, unknown>>(parts: T): Step =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as unknown as Step;

const defined = (query: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined));

const writeQuery: fc.Arbitrary<Record<string, string>> = fc
  .record({
    dryRun: sometimes(2, fc.constantFrom('All', 'All', 'Some')),
    fieldValidation: sometimes(4, fc.constantFrom('Strict', 'Strict', 'Warn', 'Ignore', 'Foo')),
  })
  .map(defined);

const bodyType: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(JSON_TYPE) },
  { weight: 2, arbitrary: fc.constant('application/yaml') },
  { weight: 1, arbitrary: fc.constantFrom(undefined, 'text/plain', 'application/json; charset=utf-8', 'application/merge-patch+json') },
);

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u-1' };

const METADATA: Readonly<Record<string, readonly unknown[]>> = {
  labels: [{ x: '1' }, { x: '2', y: '1' }, null, {}, { x: 1 }, { x: null }, { 'a b': 'c' }, { x: 'no spaces please' }, 'x'],
  annotations: [{ k: 'v' }, { k: null }, null, { 'K/k': 'v' }, { 'a b': '' }, []],
  finalizers: [['example.com/f'], ['example.com/f', 'example.com/g'], [], null, ['no spaces'], ['plain'], 'x', [5]],
  ownerReferences: [
    [OWNER],
    [],
    null,
    [{ ...OWNER, uid: '' }],
    [{ ...OWNER, bogus: 1 }],
    [
      { ...OWNER, controller: true },
      { ...OWNER, uid: 'u-2', controller: true },
    ],
    [{ ...OWNER, controller: 'yes' }],
    OWNER,
  ],
  resourceVersion: ['{{rv:a}}', '1', 'q', '0', '', null, 5],
  uid: ['{{uid:a}}', 'other', '', null],
  generation: [7, null, '7'],
  creationTimestamp: ['2020-01-01T00:00:00Z', null, 'yesterday'],
  deletionTimestamp: ['2020-01-01T00:00:00Z', null],
  deletionGracePeriodSeconds: [0, 5, null],
  name: ['other', '', null, 5],
  namespace: ['other', '', null],
  generateName: ['g-', 'G_'],
  selfLink: ['x'],
  bogus: [1],
};

const metadataEdit: fc.Arbitrary<Edit> = fc.constantFrom(
  ...Object.entries(METADATA).flatMap(([field, values]) => values.map((value) => ({ path: ['metadata', field], value }))),
);

const ENVELOPE: readonly Edit[] = [
  ...['Other', '', null, 5].map((value) => ({ path: ['kind'], value })),
  ...['v9', 'a/b/c', '', null, 5].map((value) => ({ path: ['apiVersion'], value })),
  ...['x', null, 5].map((value) => ({ path: ['metadata'], value })),
  ...[1, {}].map((value) => ({ path: ['bogus'], value })),
  { path: ['spec', 'bogus'], value: 1 },
];

const anyEdit = ({ edits }: Subject): fc.Arbitrary<Edit> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...edits) },
    { weight: 4, arbitrary: metadataEdit },
    { weight: 1, arbitrary: fc.constantFrom(...ENVELOPE) },
  );

const someEdits = (subject: Subject): fc.Arbitrary<readonly Edit[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.array(anyEdit(subject), { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(anyEdit(subject), { minLength: 2, maxLength: 3 }) },
  );

const NONSENSE: fc.Arbitrary<Body> = fc.constantFrom(
  { from: 'text', text: '{"a":' },
  { from: 'text', text: '' },
  { from: 'text', text: 'null' },
  { from: 'value', value: [] },
  { from: 'value', value: 'x' },
  { from: 'value', value: {} },
);

const freshBody = (subject: Subject): fc.Arbitrary<Body> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ from: fc.constant('good' as const), pick: fc.nat(5), edits: someEdits(subject) }) },
    { weight: subject.bad.length > 0 ? 4 : 0, arbitrary: fc.record({ from: fc.constant('bad' as const), pick: fc.nat(10_000) }) },
    { weight: 1, arbitrary: NONSENSE },
  );

/** The name is the body's: it goes into the path only where the path has one. */
const creation = (subject: Subject): fc.Arbitrary<Step> =>
  fc
    .record({
      verb: fc.constant('create'),
      name: someName(subject),
      query: writeQuery,
      type: bodyType,
      accept: sometimes(1, fc.constant(METADATA_ONLY)),
      body: freshBody(subject),
    })
    .map(step);

const statusEdits = ({ statuses, hasStatus }: Subject): fc.Arbitrary<readonly Edit[]> =>
  hasStatus ? fc.constantFrom(...statuses).map((value) => [{ path: ['status'], value }]) : fc.constant([]);

function update(subject: Subject): fc.Arbitrary<Step> {
  const seen = (edits: fc.Arbitrary<readonly Edit[]>): fc.Arbitrary<Body> => fc.record({ from: fc.constant('seen' as const), edits });
  const base = { verb: fc.constant('update'), name: someName(subject), query: writeQuery, type: bodyType };
  const whole = fc.record({
    ...base,
    body: fc.oneof({ weight: 4, arbitrary: seen(someEdits(subject)) }, { weight: 1, arbitrary: freshBody(subject) }),
  });
  const status = fc.record({ ...base, subresource: fc.constant('status'), body: seen(fc.oneof(statusEdits(subject), someEdits(subject))) });
  return fc.oneof({ weight: 3, arbitrary: whole }, { weight: subject.hasStatus ? 2 : 0, arbitrary: status }).map(step);
}

/** An edit as the merge patch that makes it. */
const asMerge = ({ path, value }: Edit): unknown =>
  path.reduceRight<unknown>((inner, name) => (typeof name === 'number' ? [inner] : { [name]: inner }), value === undefined ? null : value);

const pointer = ({ path }: Edit): string => path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What each server says for itself must not get into what is compared. */
const OWN: ReadonlySet<string | number> = new Set(['resourceVersion', 'uid', 'creationTimestamp', 'metadata']);

const operation = (subject: Subject): fc.Arbitrary<unknown> =>
  fc
    .record({
      op: fc.constantFrom('add', 'replace', 'remove', 'test', 'copy', 'move', 'frob'),
      edit: anyEdit(subject),
      other: anyEdit(subject).filter(({ path }) => !OWN.has(path.at(-1)!)),
    })
    .map(({ op, edit, other }) => ({
      op,
      path: pointer(edit),
      value: edit.value,
      ...((op === 'copy' || op === 'move') && { from: pointer(other) }),
    }));

const DIRECTIVES: readonly unknown[] = [
  { metadata: { $patch: 'replace', name: 'a' } },
  { metadata: { labels: { $patch: 'replace', z: '1' } } },
  { metadata: { labels: { $retainKeys: ['x'], x: '9' } } },
  { metadata: { labels: { $retainKeys: ['y'], x: '9' } } },
  { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/f'] } },
  { metadata: { '$setElementOrder/finalizers': ['example.com/g', 'example.com/f'], finalizers: ['example.com/g'] } },
  { metadata: { '$setElementOrder/finalizers': ['example.com/f'], finalizers: ['example.com/g'] } },
  { metadata: { ownerReferences: [{ ...OWNER, uid: 'u-3' }] } },
  { metadata: { ownerReferences: [{ $patch: 'delete', uid: 'u-1' }] } },
  { metadata: { ownerReferences: [{ $patch: 'replace' }, OWNER] } },
  { metadata: { ownerReferences: [{ $patch: 'frob', uid: 'u-1' }] } },
  { $patch: 'delete' },
  { data: { $patch: 'delete' } },
];

const patchBody = (subject: Subject): fc.Arbitrary<{ readonly type: string; readonly body: Body }> => {
  const typed = (type: string, value: fc.Arbitrary<unknown>, weight: number) => ({
    weight,
    arbitrary: value.map((given) => ({ type, body: { from: 'value' as const, value: given } })),
  });
  const merge = anyEdit(subject).map(asMerge);
  return fc.oneof(
    typed('application/merge-patch+json', merge, 5),
    typed(
      'application/strategic-merge-patch+json',
      subject.isCustom ? merge : fc.oneof(merge, fc.constantFrom(...DIRECTIVES)),
      subject.isCustom ? 1 : 5,
    ),
    typed('application/json-patch+json', fc.array(operation(subject), { maxLength: 2 }), 4),
    typed('application/json-patch+json', fc.constantFrom({}, 'x', [5], [{ op: 'add' }]), 1),
    typed('application/json', merge, 1),
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constantFrom('application/merge-patch+json', 'application/json-patch+json'), body: NONSENSE }),
    },
  );
};

function patch(subject: Subject): fc.Arbitrary<Step> {
  const base = { verb: fc.constant('patch'), name: someName(subject), query: writeQuery };
  const whole = fc.tuple(fc.record(base), patchBody(subject)).map(([rest, how]) => step({ ...rest, ...how }));
  const status = fc
    .tuple(fc.record(base), fc.oneof(statusEdits(subject), someEdits(subject)))
    .map(([rest, [edit = { path: ['metadata', 'labels'], value: { s: '1' } }]]) =>
      step({ ...rest, subresource: 'status', type: 'application/merge-patch+json', body: { from: 'value', value: asMerge(edit) } }),
    );
  return fc.oneof({ weight: 4, arbitrary: whole }, { weight: subject.hasStatus ? 2 : 0, arbitrary: status });
}

const reading = (subject: Subject): fc.Arbitrary<Step> =>
  fc
    .record({
      verb: fc.constant('get'),
      name: someName(subject),
      subresource: sometimes(1, fc.constantFrom('status', 'bogus')),
      query: fc.constant({}),
      accept: sometimes(
        3,
        fc.constantFrom(METADATA_ONLY, 'application/yaml', 'text/html', 'application/json;as=Bogus;g=meta.k8s.io;v=v1, application/json'),
      ),
    })
    .map(step);

const LABEL_SELECTORS = [
  'x=1',
  'x!=1',
  'x',
  '!x',
  'x in (1,2)',
  'x notin (1)',
  'x>0',
  'x=1,y',
  '',
  'x==1==2',
  'x in (',
  'a b',
  ',',
  'x in ()',
];
const FIELD_SELECTORS = ['metadata.name={{a}}', 'metadata.name!={{a}}', 'metadata.namespace={{ns}}', 'bogus=1', 'metadata.name', '=', ''];

const selectors = (subject: Subject): fc.Arbitrary<Record<string, string | undefined>> =>
  fc.record({
    labelSelector: sometimes(6, fc.constantFrom(...LABEL_SELECTORS)).map((text) => inSequence(subject, text)),
    fieldSelector: sometimes(3, fc.constantFrom(...FIELD_SELECTORS, ...subject.fieldSelectors)).map((text) =>
      text?.replaceAll('{{a}}', nameIn(subject, 'a')),
    ),
  });

/** Lists of what is not in a namespace are about the sequence's own objects only. */
const inSequence = ({ namespaced }: Subject, text: string | undefined): string | undefined =>
  namespaced ? text : [...(text === undefined || text === '' ? [] : [text]), 'seq={{ns}}'].join(',');

const listing = (subject: Subject): fc.Arbitrary<Step> =>
  fc
    .record({
      verb: fc.constant('list'),
      query: fc
        .tuple(
          selectors(subject),
          fc.record({
            limit: sometimes(6, fc.constantFrom('1', '2', '0', '-1', 'q', '1.5')),
            continue: sometimes(3, fc.constantFrom('{{continue}}', 'bogus')),
          }),
          fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: versions }),
        )
        .map(([selected, paged, version]) => defined({ ...selected, ...paged, ...version })),
      accept: sometimes(
        2,
        fc.constantFrom(METADATA_ONLY, 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', 'application/yaml'),
      ),
    })
    .map(step);

const versions: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { resourceVersion: '{{rv:a}}', resourceVersionMatch: 'NotOlderThan' },
  { resourceVersion: '{{rv:a}}', resourceVersionMatch: 'Exact' },
  { resourceVersion: '{{rv:a}}' },
  { resourceVersion: 'q' },
  { resourceVersionMatch: 'Exact' },
  { resourceVersion: '0', resourceVersionMatch: 'Exact' },
  { resourceVersion: '{{rv:a}}', resourceVersionMatch: 'Foo' },
);

const DELETE_OPTIONS: readonly unknown[] = [
  {},
  { preconditions: { uid: '{{uid:a}}' } },
  { preconditions: { uid: 'other' } },
  { preconditions: { resourceVersion: '{{rv:a}}' } },
  { preconditions: { resourceVersion: '1' } },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Foo' },
  { orphanDependents: true },
  { orphanDependents: true, propagationPolicy: 'Background' },
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: 30 },
  { gracePeriodSeconds: 'x' },
  { dryRun: ['All'] },
  { dryRun: ['Some'] },
  { bogus: 1 },
  { apiVersion: 'v1', kind: 'DeleteOptions' },
  { kind: 'Other' },
  [],
  'x',
];

const deleteQuery = fc.constantFrom<Record<string, string>>(
  {},
  {},
  {},
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Foo' },
  { dryRun: 'All' },
  { gracePeriodSeconds: '5' },
  { gracePeriodSeconds: 'x' },
  { orphanDependents: 'true' },
);

const deleteBody: fc.Arbitrary<Body> = fc.constantFrom(...DELETE_OPTIONS).map((value) => ({ from: 'value', value }));

function deletion(subject: Subject): fc.Arbitrary<Step> {
  const plain = fc.record({ verb: fc.constant('delete'), name: someName(subject), query: deleteQuery });
  const told = fc.record({
    verb: fc.constant('delete'),
    name: someName(subject),
    query: fc.constant({}),
    type: bodyType,
    body: deleteBody,
  });
  const many = fc.record({
    verb: fc.constant('delete many'),
    query: selectors(subject).map(defined),
    type: bodyType,
    body: fc.constant<Body>({ from: 'value', value: {} }),
  });
  return fc
    .oneof({ weight: 2, arbitrary: plain }, { weight: 3, arbitrary: told }, { weight: subject.namespaced ? 1 : 0, arbitrary: many })
    .map(step);
}

/** Verbs where they do not belong. */
const oddity = (subject: Subject): fc.Arbitrary<Step> =>
  fc
    .constantFrom(
      { verb: 'update' },
      { verb: 'patch', type: 'application/merge-patch+json' },
      { verb: 'create', name: 'a', subresource: 'status' },
      { verb: 'delete', name: 'a', subresource: 'status' },
      { verb: 'update', name: 'a', subresource: 'bogus' },
      { verb: 'patch', name: 'a', subresource: 'bogus', type: 'application/merge-patch+json' },
    )
    .map(({ name, ...rest }) =>
      step({
        type: JSON_TYPE,
        query: {},
        body: { from: 'good', pick: 0, edits: [] },
        ...rest,
        ...(name !== undefined && { name: nameIn(subject, name) }),
      }),
    );
