import type { ApiRequest, PatchContentType } from '../../kube/client/transport.ts';
import { aWidget, widgets } from './widget.ts';

/** One request, and why its answer is worth comparing. */
export interface Exchange {
  readonly reason: string;
  readonly request: ApiRequest;
}

const MERGE: PatchContentType = 'application/merge-patch+json';
const JSON_PATCH: PatchContentType = 'application/json-patch+json';
const STRATEGIC: PatchContentType = 'application/strategic-merge-patch+json';

const NS = 'exchanges';
const W = widgets(NS);
const CORE = `/api/v1/namespaces/${NS}`;
const TRY = { dryRun: 'All' };

const post = (path: string, body: unknown, query?: ApiRequest['query']): ApiRequest => ({
  method: 'POST',
  path,
  body,
  ...(query && { query }),
});
const put = (path: string, body: unknown): ApiRequest => ({ method: 'PUT', path, body });
const merge = (path: string, body: unknown, query?: ApiRequest['query']): ApiRequest => ({
  method: 'PATCH',
  path,
  body,
  contentType: MERGE,
  ...(query && { query }),
});
const json = (path: string, body: unknown): ApiRequest => ({ method: 'PATCH', path, body, contentType: JSON_PATCH });
const get = (path: string, query?: ApiRequest['query']): ApiRequest => ({ method: 'GET', path, ...(query && { query }) });
const remove = (path: string, body?: unknown, query?: ApiRequest['query']): ApiRequest => ({
  method: 'DELETE',
  path,
  ...(body !== undefined && { body }),
  ...(query && { query }),
});

const tried = (spec: unknown): ApiRequest => post(W, aWidget('tried', { spec }), TRY);

/** Objects that do not fit the schema, one fault each or several at once. */
const SCHEMA: readonly Exchange[] = [
  { reason: 'a required field is missing', request: post(W, { ...aWidget('tried'), spec: {} }, TRY) },
  { reason: 'several faults at once', request: tried({ color: 'green', name: 'A', size: 20 }) },
  { reason: 'too long', request: tried({ name: 'abcdefgh' }) },
  { reason: 'too short, which does not keep rules from running', request: tried({ name: 'x', size: 5, max: 3 }) },
  { reason: 'wrong types', request: tried({ name: 5, size: 'x', flag: 'y', free: [] }) },
  { reason: 'a fraction where a whole number belongs', request: tried({ size: 1.5, ratio: 0.3 }) },
  { reason: 'past the bounds of int32', request: tried({ small: 3_000_000_000 }) },
  { reason: 'at an exclusive bound', request: tried({ ratio: 9 }) },
  { reason: 'a fraction for a number or text', request: tried({ port: 1.5 }) },
  { reason: 'a truth for a number or text', request: tried({ port: true }) },
  { reason: 'a number for a number or text, against a rule', request: tried({ port: 1 }) },
  { reason: 'a text for a number or text, against a rule', request: tried({ port: '5' }) },
  { reason: 'a text for a number or text, within a rule', request: tried({ port: '5%' }) },
  { reason: 'formats', request: tried({ when: 'yesterday', period: '5q' }) },
  { reason: 'good formats', request: tried({ when: '2026-11-15T03:00:00.5+01:00', period: '1h30m' }) },
  { reason: 'a set with a value twice', request: tried({ tags: ['a', 'a', 'a'] }) },
  { reason: 'too many items', request: tried({ tags: ['a', 'b', 'c', 'd'] }) },
  { reason: 'too few items', request: tried({ tags: [] }) },
  { reason: 'a keyed list with a key twice', request: tried({ parts: [{ name: 'a' }, { name: 'a' }] }) },
  { reason: 'a keyed list without keys', request: tried({ parts: [{ count: 'a' }] }) },
  { reason: 'a keyed list of texts', request: tried({ parts: ['a'] }) },
  { reason: 'too many members', request: tried({ notes: { a: 'b', c: 'd', e: 'f' } }) },
  { reason: 'too few members', request: tried({ notes: {} }) },
  { reason: 'a map value of the wrong type', request: tried({ notes: { a: 1 } }) },
  { reason: 'an embedded resource without kind', request: tried({ template: { a: 1 } }) },
  {
    reason: 'an embedded resource with bad labels',
    request: tried({ template: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b c' } } } }),
  },
  { reason: 'a broken rule', request: tried({ size: 5, max: 3 }) },
  { reason: 'a broken rule hidden behind an enum', request: tried({ color: 'green', size: 5, max: 3 }) },
  { reason: 'rules on escaped names', request: tried({ odd: { namespace: 'q', 'b-c': 'z', n: 2 } }) },
  { reason: 'a rule that stumbles over an absent field', request: tried({ odd: {} }) },
  { reason: 'a null spec', request: post(W, { ...aWidget('tried'), spec: null }, TRY) },
  { reason: 'a text for a spec', request: post(W, aWidget('tried', { spec: 'x' }), TRY) },
  { reason: 'no spec', request: post(W, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'tried' } }, TRY) },
  {
    reason: 'nulls: dropped, kept, defaulted or refused',
    request: tried({ size: null, name: null, maybe: null, anything: null, free: { a: null } }),
  },
  { reason: 'a null among items', request: tried({ parts: [null] }) },
  { reason: 'a bad status is not judged on creation', request: post(W, aWidget('tried', { status: { phase: 'Z' } }), TRY) },
  { reason: 'oneOf, none', request: tried({ one: {} }) },
  { reason: 'oneOf, both', request: tried({ one: { a: '1', b: '2' } }) },
  { reason: 'anyOf', request: tried({ any: 'q' }) },
  { reason: 'not', request: tried({ not: 'x' }) },
  { reason: 'allOf', request: tried({ all: 'q' }) },
];

/** Invalid envelopes and metadata, and valid ones that the server changes. */
const CREATION: readonly Exchange[] = [
  {
    reason: 'defaults, pruning, ignored status',
    request: post(W, {
      ...aWidget('a', { metadata: { labels: { x: 'y' } }, spec: { bogus: 1, maybe: null, flag: null }, status: { phase: 'A' } }),
      extra: 1,
    }),
  },
  { reason: 'taken', request: post(W, aWidget('a')) },
  { reason: 'no apiVersion', request: post(W, { kind: 'Widget', metadata: { name: 'b' } }) },
  { reason: 'no kind', request: post(W, { metadata: { name: 'b' } }) },
  { reason: 'another version', request: post(W, { ...aWidget('b'), apiVersion: 'example.com/v2' }) },
  { reason: 'another kind', request: post(W, { ...aWidget('b'), kind: 'Gadget' }) },
  { reason: 'a list', request: post(W, [1]) },
  { reason: 'a text', request: post(W, 'x') },
  { reason: 'a label that is no text', request: post(W, aWidget('b', { metadata: { labels: { x: 1 } } })) },
  { reason: 'labels that are no map', request: post(W, aWidget('b', { metadata: { labels: 'q' } })) },
  { reason: 'metadata that is none', request: post(W, { ...aWidget('b'), metadata: 'q' }) },
  { reason: 'no name', request: post(W, { ...aWidget('b'), metadata: {} }) },
  { reason: 'another namespace', request: post(W, aWidget('b', { metadata: { namespace: 'other' } })) },
  { reason: 'a namespace that does not exist', request: post(widgets('nope'), aWidget('b')) },
  { reason: 'bad name', request: post(W, aWidget('B_d')) },
  {
    reason: 'bad labels and annotations',
    request: post(W, aWidget('b', { metadata: { labels: { 'a b': 'c d', 'a/b/c': 'x' }, annotations: { '/': 'x', Q: 'fine' } } })),
  },
  { reason: 'bad finalizers', request: post(W, aWidget('b', { metadata: { finalizers: ['x y'] } })) },
  {
    reason: 'bad owners',
    request: post(
      W,
      aWidget('b', {
        metadata: {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: '' },
            { apiVersion: 'v2/x/y', kind: '', name: '', uid: 'u' },
          ],
        },
      }),
    ),
  },
  {
    reason: 'two controllers',
    request: post(
      W,
      aWidget('b', {
        metadata: {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'a', controller: true },
            { apiVersion: 'v1', kind: 'Pod', name: 'y', uid: 'b', controller: true },
          ],
        },
      }),
    ),
  },
  { reason: 'a resourceVersion', request: post(W, aWidget('b', { metadata: { resourceVersion: '5' } })) },
  {
    reason: 'system fields are the server’s',
    request: post(
      W,
      aWidget('b', {
        metadata: {
          uid: 'zz',
          generation: 7,
          creationTimestamp: '2020-01-01T00:00:00Z',
          deletionTimestamp: '2020-01-01T00:00:00Z',
          selfLink: 'x',
        },
      }),
    ),
  },
  {
    reason: 'unknown fields, strictly',
    request: post(
      W,
      { ...aWidget('b2', { metadata: { foo: 1 }, spec: { bogus: 1, parts: [{ name: 'a', zz: 1 }] } }), extra: {} },
      { fieldValidation: 'Strict' },
    ),
  },
  { reason: 'an unknown way to validate fields', request: post(W, aWidget('b2'), { fieldValidation: 'Foo' }) },
  { reason: 'an unknown dry run', request: post(W, aWidget('b2'), { dryRun: 'Some' }) },
  { reason: 'a generated name', request: post(W, { ...aWidget(''), metadata: { generateName: 'g-' } }, TRY) },
  { reason: 'a bad prefix for names', request: post(W, { ...aWidget(''), metadata: { generateName: 'G_' } }, TRY) },
  { reason: 'a built-in without apiVersion and kind', request: post(`${CORE}/configmaps`, { metadata: { name: 'c' }, data: { a: 'b' } }) },
  {
    reason: 'another kind than the path’s',
    request: post(`${CORE}/configmaps`, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'd' } }),
  },
  { reason: 'an unknown version', request: post(`${CORE}/configmaps`, { kind: 'ConfigMap', apiVersion: 'v2', metadata: { name: 'd' } }) },
  { reason: 'a namespace with a bad name', request: post('/api/v1/namespaces', { metadata: { name: 'N.1' } }) },
  { reason: 'a widget outside of any namespace', request: post('/apis/example.com/v1/widgets', aWidget('b')) },
];

const CHANGES: readonly Exchange[] = [
  { reason: 'a rule about changes', request: merge(`${W}/a`, { spec: { color: 'blue' } }) },
  {
    reason: 'the main path leaves the status alone',
    request: merge(`${W}/a`, { status: { phase: 'B' }, metadata: { labels: { q: 'r' } } }),
  },
  {
    reason: 'the status path leaves the rest alone',
    request: merge(`${W}/a/status`, { status: { phase: 'B' }, metadata: { labels: { z: 'z' } }, spec: { color: 'blue' } }),
  },
  { reason: 'a bad status', request: merge(`${W}/a/status`, { status: { phase: 'ZZ' } }) },
  { reason: 'a status with a fraction', request: merge(`${W}/a/status`, { status: { count: 1.5 } }) },
  { reason: 'a stale version', request: merge(`${W}/a`, { metadata: { resourceVersion: '1' } }) },
  { reason: 'a version that is none', request: merge(`${W}/a`, { metadata: { resourceVersion: 'q' } }) },
  { reason: 'another UID', request: merge(`${W}/a`, { metadata: { uid: '1' } }) },
  { reason: 'another name', request: merge(`${W}/a`, { metadata: { name: 'q' } }) },
  { reason: 'another namespace', request: merge(`${W}/a`, { metadata: { namespace: 'q' } }) },
  { reason: 'another version of the kind', request: merge(`${W}/a`, { apiVersion: 'example.com/v2' }) },
  { reason: 'another kind', request: merge(`${W}/a`, { kind: 'Q' }) },
  {
    reason: 'a deletion by patch',
    request: merge(`${W}/a`, { metadata: { generation: 77, deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 } }),
  },
  { reason: 'unknown fields are dropped', request: merge(`${W}/a`, { spec: { bogus: 1 } }) },
  { reason: 'unknown fields, strictly', request: merge(`${W}/a`, { spec: { bogus: 1 } }, { fieldValidation: 'Strict' }) },
  { reason: 'a list as merge patch', request: merge(`${W}/a`, []) },
  { reason: 'a strategic patch of a custom object', request: { ...merge(`${W}/a`, { spec: {} }), contentType: STRATEGIC } },
  { reason: 'a test that fails', request: json(`${W}/a`, [{ op: 'test', path: '/spec/size', value: 99 }]) },
  { reason: 'a replacement of nothing', request: json(`${W}/a`, [{ op: 'replace', path: '/spec/nope', value: 99 }]) },
  { reason: 'a removal of nothing', request: json(`${W}/a`, [{ op: 'remove', path: '/spec/nope' }]) },
  { reason: 'an addition to nothing', request: json(`${W}/a`, [{ op: 'add', path: '/spec/x/y/z', value: 1 }]) },
  { reason: 'an unknown operation', request: json(`${W}/a`, [{ op: 'frob', path: '/spec/x', value: 1 }]) },
  { reason: 'no list of operations', request: json(`${W}/a`, { op: 'add' }) },
  {
    reason: 'operations on a list',
    request: json(`${W}/a`, [
      { op: 'add', path: '/spec/tags', value: ['a'] },
      { op: 'add', path: '/spec/tags/-', value: 'b' },
      { op: 'add', path: '/spec/tags/0', value: 'c' },
      { op: 'test', path: '/spec/tags/1', value: 'a' },
      { op: 'copy', from: '/spec/color', path: '/metadata/labels/color' },
      { op: 'move', from: '/metadata/labels/q', path: '/metadata/labels/~0t' },
      { op: 'remove', path: '/metadata/labels/~0t' },
    ]),
  },
  { reason: 'past the end of a list', request: json(`${W}/a`, [{ op: 'add', path: '/spec/tags/9', value: 'c' }]) },
  { reason: 'nothing to patch', request: json(`${W}/nope`, []) },
  { reason: 'a PUT without version', request: put(`${W}/a`, aWidget('a')) },
  { reason: 'a PUT of another name', request: put(`${W}/a`, aWidget('b')) },
  { reason: 'a PUT without name', request: put(`${W}/a`, { ...aWidget('a'), metadata: { resourceVersion: '1' } }) },
  { reason: 'a PUT of a stale version', request: put(`${W}/a`, aWidget('a', { metadata: { resourceVersion: '1' } })) },
  { reason: 'a PUT of another UID', request: put(`${W}/a`, aWidget('a', { metadata: { uid: 'q', resourceVersion: '1' } })) },
  { reason: 'a PUT of nothing', request: put(`${W}/nope`, aWidget('nope')) },
  { reason: 'a PUT of a collection', request: put(W, aWidget('a')) },
  {
    reason: 'an item may not change its fixed part',
    request: merge(`${W}/b`, { spec: { parts: [{ name: 'p', fixed: '1' }], sticky: 's' } }),
  },
  { reason: 'items are followed by their key', request: merge(`${W}/b`, { spec: { parts: [{ name: 'o' }, { name: 'p', fixed: '2' }] } }) },
  { reason: 'an item of another key is another item', request: merge(`${W}/b`, { spec: { parts: [{ name: 'r', fixed: '2' }] } }) },
  { reason: 'optionalOldSelf', request: merge(`${W}/b`, { spec: { sticky: 't' } }) },
  {
    reason: 'a PUT of a built-in without version overwrites',
    request: put(`${CORE}/configmaps/c`, { metadata: { name: 'c' }, data: { a: '2' } }),
  },
  {
    reason: 'a strategic patch of a built-in',
    request: { ...merge(`${CORE}/configmaps/c`, { metadata: { finalizers: ['a/b'] }, data: { b: '1', a: null } }), contentType: STRATEGIC },
  },
  {
    reason: 'a strategic patch adds to a set',
    request: { ...merge(`${CORE}/configmaps/c`, { metadata: { finalizers: ['c/d'] } }), contentType: STRATEGIC },
  },
  { reason: 'finalizers taken off', request: merge(`${CORE}/configmaps/c`, { metadata: { finalizers: null } }) },
  {
    reason: 'a Lease is created by PUT',
    request: put(`/apis/coordination.k8s.io/v1/namespaces/${NS}/leases/l`, { metadata: { name: 'l' }, spec: { holderIdentity: 'a' } }),
  },
  {
    reason: 'but not overwritten without version',
    request: put(`/apis/coordination.k8s.io/v1/namespaces/${NS}/leases/l`, { metadata: { name: 'l' }, spec: { holderIdentity: 'b' } }),
  },
];

const READS: readonly Exchange[] = [
  { reason: 'one', request: get(`${W}/a`) },
  { reason: 'its status', request: get(`${W}/a/status`) },
  { reason: 'none', request: get(`${W}/nope`) },
  { reason: 'an unknown subresource', request: get(`${W}/a/foo`) },
  { reason: 'all', request: get(W) },
  { reason: 'all of all namespaces', request: get('/apis/example.com/v1/widgets', { labelSelector: 'x=y' }) },
  { reason: 'metadata only', request: { ...get(W), accept: 'metadata' } },
  { reason: 'the metadata of one', request: { ...get(`${W}/a`), accept: 'metadata' } },
  { reason: 'by label', request: get(W, { labelSelector: 'x in (y,z),!nope' }) },
  { reason: 'by field', request: get(W, { fieldSelector: 'spec.color=red,metadata.name!=a' }) },
  { reason: 'by a field that is not selectable', request: get(W, { fieldSelector: 'spec.size=1' }) },
  { reason: 'a bad label selector', request: get(W, { labelSelector: 'a==b==c' }) },
  { reason: 'an unfinished label selector', request: get(W, { labelSelector: 'a in (b' }) },
  { reason: 'a bad field selector', request: get(W, { fieldSelector: 'foo' }) },
  { reason: 'a page', request: get(W, { limit: '1' }) },
  { reason: 'a limit that is none', request: get(W, { limit: 'q' }) },
  { reason: 'a negative limit', request: get(W, { limit: '-1' }) },
  { reason: 'a token that is none', request: get(W, { continue: 'zzz' }) },
  { reason: 'a version that is none', request: get(W, { resourceVersion: 'q' }) },
  { reason: 'a match without version', request: get(W, { resourceVersionMatch: 'Exact' }) },
  { reason: 'exactly any', request: get(W, { resourceVersion: '0', resourceVersionMatch: 'Exact' }) },
  { reason: 'an unknown match', request: get(W, { resourceVersion: '1', resourceVersionMatch: 'Foo' }) },
  { reason: 'a version to come', request: get(W, { resourceVersion: '99999999' }) },
  { reason: 'an unknown resource', request: get('/api/v1/foos') },
  { reason: 'a pod by a field that is not selectable', request: get('/api/v1/pods', { fieldSelector: 'spec.foo=1' }) },
];

const DELETIONS: readonly Exchange[] = [
  { reason: 'another UID', request: remove(`${W}/b`, { preconditions: { uid: 'zz' } }) },
  { reason: 'another version', request: remove(`${W}/b`, { preconditions: { resourceVersion: '1' } }) },
  { reason: 'an unknown policy', request: remove(`${W}/b`, { propagationPolicy: 'Foo' }) },
  { reason: 'tried, in the foreground', request: remove(`${W}/b`, undefined, { propagationPolicy: 'Foreground', dryRun: 'All' }) },
  { reason: 'tried', request: remove(`${W}/b`, undefined, { dryRun: 'All' }) },
  { reason: 'at once', request: remove(`${W}/b`) },
  { reason: 'again', request: remove(`${W}/b`) },
  { reason: 'a status', request: remove(`${W}/a/status`) },
  { reason: 'held', request: post(W, aWidget('held', { metadata: { finalizers: ['a/b'], labels: { k: 'v' } } })) },
  { reason: 'held by a finalizer', request: remove(`${W}/held`) },
  { reason: 'held, again', request: remove(`${W}/held`) },
  { reason: 'no new finalizers while it goes', request: merge(`${W}/held`, { metadata: { finalizers: ['a/b', 'c/d'] } }) },
  { reason: 'other changes while it goes', request: merge(`${W}/held`, { metadata: { labels: { a: 'b' } } }) },
  { reason: 'the last finalizer', request: merge(`${W}/held`, { metadata: { finalizers: null } }) },
  { reason: 'is gone', request: get(`${W}/held`) },
  { reason: 'many: one', request: post(W, aWidget('many1', { metadata: { labels: { k: 'many' } } })) },
  { reason: 'many: two', request: post(W, aWidget('many2', { metadata: { labels: { k: 'many' }, finalizers: ['a/b'] } })) },
  { reason: 'many', request: remove(W, undefined, { labelSelector: 'k=many' }) },
  { reason: 'many are gone or going', request: get(W, { labelSelector: 'k=many' }) },
  { reason: 'many: released', request: merge(`${W}/many2`, { metadata: { finalizers: null } }) },
  { reason: 'across namespaces', request: remove('/apis/example.com/v1/widgets') },
  { reason: 'a built-in', request: remove(`${CORE}/configmaps/c`) },
  { reason: 'the default namespace', request: remove('/api/v1/namespaces/default') },
];

/** Requests, in this order, whose answers must be the same on a real kube-apiserver and on the embedded one. */
export const EXCHANGES: Readonly<Record<string, readonly Exchange[]>> = {
  'objects against the schema': SCHEMA,
  creation: CREATION,
  changes: CHANGES,
  reads: READS,
  deletions: DELETIONS,
};

/** The namespace that the exchanges happen in. */
export const EXCHANGE_NAMESPACE = NS;
