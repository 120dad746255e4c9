import { json } from './both.ts';
import { NAMESPACE } from './builtins.ts';
import { collectionOf, SUBJECTS } from './subjects.ts';
import type { WireRequest } from './wire.ts';

/** A request with one thing wrong, or at the very limit of what is still right. */
export interface BadInput {
  readonly reason: string;
  /** What the coverage counts it as. */
  readonly verb: string;
  readonly request: WireRequest;
}

/** An object that is there, so that nothing else is wrong with a request about it. */
export interface Victim {
  readonly path: string;
  readonly object: { readonly apiVersion: string; readonly kind: string; readonly metadata: { readonly name: string } };
}

const CORE = `/api/v1/namespaces/${NAMESPACE}`;

export const BUILTIN_VICTIM: Victim = {
  path: `${CORE}/configmaps`,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'victim' } },
};

const OURS = SUBJECTS.find(({ kind }) => kind === 'RemediationWorkflow')!;

export const CUSTOM_VICTIM: Victim = {
  path: collectionOf(OURS, NAMESPACE),
  object: { apiVersion: OURS.apiVersion, kind: OURS.kind, ...OURS.good[0], metadata: { name: 'victim' } },
};

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

/** Everything that can be wrong with a request about an object. */
export function badInputs(victim: Victim): readonly BadInput[] {
  return [
    ...malformed(victim),
    ...oversized(victim),
    ...wrongTypes(victim),
    ...wrongAnswers(victim),
    ...wrongSelections(victim),
    ...wrongOptions(victim),
    ...wrongPatches(victim),
    ...wrongIdentity(victim),
    ...wrongPaths(victim),
    ...wrongUsers(victim),
  ];
}

const one = ({ path, object }: Victim): string => `${path}/${object.metadata.name}`;
const other = ({ object }: Victim, name: string, rest: object = {}): object => ({
  ...object,
  metadata: { ...object.metadata, name, ...rest },
});

/** The same text to every verb that takes a body. */
const everywhere = (victim: Victim, reason: string, body: string, type: string): readonly BadInput[] => [
  { reason: `create: ${reason}`, verb: 'create', request: { method: 'POST', path: victim.path, type, body } },
  { reason: `update: ${reason}`, verb: 'update', request: { method: 'PUT', path: one(victim), type, body } },
  { reason: `delete: ${reason}`, verb: 'delete', request: { method: 'DELETE', path: one(victim), query: { dryRun: 'All' }, type, body } },
];

const NO_JSON: Readonly<Record<string, string>> = {
  'half an object': '{"a":',
  'an object and more': '{}}',
  'half a list': '[1',
  'a bare word': 'nope',
  'a trailing comma': '{"metadata":{"name":"x",}}',
  'single quotes': "{'metadata':{}}",
  'a comment': '{}// why',
  'a number that is none': '{"metadata":{"generation":01}}',
  'a control character in a text': '{"metadata":{"name":"a\u0001"}}',
  'an escape that is none': '{"metadata":{"name":"\\x"}}',
  'a zero byte': '\u0000',
  'only spaces': '  ',
  'a byte order mark': '\uFEFF{}',
  'a list': '[]',
  'a text': '"x"',
  'a number': '5',
  true: 'true',
};

const NO_YAML: Readonly<Record<string, string>> = {
  'an open list': 'a: [',
  'an open quote': 'a: "b',
  'a colon too many': 'a: b: c',
  'a tab': '\ta: 1',
  'an anchor that is not there': 'a: *b',
  'a list': '- a',
  'a word': 'nope',
  'a bad indent': 'a:\n    b: 1\n  c: 2',
};

const malformed = (victim: Victim): readonly BadInput[] => [
  ...Object.entries(NO_JSON).flatMap(([reason, text]) => everywhere(victim, `JSON with ${reason}`, text, JSON_TYPE)),
  ...Object.entries(NO_YAML).flatMap(([reason, text]) => everywhere(victim, `YAML with ${reason}`, text, YAML_TYPE)),
  ...[MERGE, JSON_PATCH].flatMap((type) =>
    Object.entries(NO_JSON).map(([reason, body]) => ({
      reason: `${type}: ${reason}`,
      verb: 'patch',
      request: { method: 'PATCH', path: one(victim), type, body },
    })),
  ),
];

/** What kube-apiserver takes at most. */
const LIMIT = 3 * 1024 * 1024;

/** A good body, filled up with spaces to a length. */
const padded = (value: unknown, length: number): string => JSON.stringify(value).padEnd(length, ' ');

function oversized(victim: Victim): readonly BadInput[] {
  const sizes = { 'just below': LIMIT - 1, at: LIMIT, 'just over': LIMIT + 1, 'far over': 2 * LIMIT };
  return Object.entries(sizes).flatMap(([reason, length]) => [
    {
      reason: `create: a body ${reason} the limit`,
      verb: 'create',
      request: {
        ...json('POST', victim.path, {}),
        query: { dryRun: 'All' },
        body: padded(other(victim, 'large'), length),
      },
    },
    {
      reason: `update: a body ${reason} the limit`,
      verb: 'update',
      request: { ...json('PUT', one(victim), {}), query: { dryRun: 'All' }, body: padded({ ...victim.object, metadata: {} }, length) },
    },
    {
      reason: `patch: a body ${reason} the limit`,
      verb: 'patch',
      request: {
        method: 'PATCH',
        path: one(victim),
        query: { dryRun: 'All' },
        type: MERGE,
        body: padded({ metadata: { labels: { x: '1' } } }, length),
      },
    },
    {
      reason: `delete: a body ${reason} the limit`,
      verb: 'delete',
      request: { method: 'DELETE', path: one(victim), type: JSON_TYPE, body: padded({ dryRun: ['All'] }, length) },
    },
  ]);
}

const TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'json',
  '',
  ';',
  'application/json;charset=latin1',
  MERGE,
];

function wrongTypes(victim: Victim): readonly BadInput[] {
  const body = JSON.stringify(other(victim, 'typed'));
  const patch = JSON.stringify({ metadata: { labels: { x: '1' } } });
  return [
    ...TYPES.flatMap((type) => [
      {
        reason: `create as '${type}'`,
        verb: 'create',
        request: { method: 'POST', path: victim.path, query: { dryRun: 'All' }, type, body },
      },
      {
        reason: `update as '${type}'`,
        verb: 'update',
        request: { method: 'PUT', path: one(victim), query: { dryRun: 'All' }, type, body },
      },
      { reason: `delete as '${type}'`, verb: 'delete', request: { method: 'DELETE', path: one(victim), type, body: '{"dryRun":["All"]}' } },
    ]),
    ...['text/plain', JSON_TYPE, YAML_TYPE, '', 'application/merge-patch+json;charset=utf-8'].map((type) => ({
      reason: `patch as '${type}'`,
      verb: 'patch',
      request: { method: 'PATCH', path: one(victim), query: { dryRun: 'All' }, type, body: patch },
    })),
    { reason: 'patch as nothing', verb: 'patch', request: { method: 'PATCH', path: one(victim), body: patch } },
  ];
}

const ACCEPTS = [
  'text/html',
  'application/xml',
  'image/*',
  'application/json;as=Nothing;g=meta.k8s.io;v=v1',
  'application/json;as=Table;g=meta.k8s.io;v=v9',
  'application/json;q=0',
  'text/html, application/json;q=0.1',
  'application/*',
  'nonsense',
  ',',
];

const wrongAnswers = (victim: Victim): readonly BadInput[] =>
  ACCEPTS.flatMap((accept) => [
    { reason: `get as '${accept}'`, verb: 'get', request: { method: 'GET', path: one(victim), accept } },
    {
      reason: `list as '${accept}'`,
      verb: 'list',
      request: { method: 'GET', path: victim.path, query: { fieldSelector: 'metadata.name=victim' }, accept },
    },
  ]);

const SELECTIONS: readonly Readonly<Record<string, string>>[] = [
  ...[
    'x==1==2',
    'x in (',
    'x in 1',
    'a b',
    ',',
    'x in ()',
    '!',
    '=1',
    'x=a b',
    '-x',
    'x=-',
    `${'x'.repeat(64)}`,
    `x=${'y'.repeat(64)}`,
    'x>1>2',
    'x>a',
    'a/b/c',
    'x notin',
    '(x)',
  ].map((labelSelector) => ({ labelSelector })),
  ...[
    'bogus=1',
    'metadata.name',
    'metadata.name==',
    'metadata.labels.x=1',
    'metadata.name>1',
    'metadata.name=a\\',
    'metadata.name=a=b',
    '===',
  ].map((fieldSelector) => ({ fieldSelector })),
  ...['-1', 'q', '1.5', '9223372036854775808', '', ' 1', '0x1'].map((limit) => ({ limit, fieldSelector: 'metadata.name=victim' })),
  ...['bogus', '%', 'e30', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ'].map((token) => ({ continue: token })),
  ...['q', '-1', '1.5', '18446744073709551616'].map((resourceVersion) => ({ resourceVersion })),
  { resourceVersionMatch: 'Exact' },
  { resourceVersion: '0', resourceVersionMatch: 'Exact' },
  { resourceVersion: '1', resourceVersionMatch: 'Foo' },
  { continue: 'e30', resourceVersion: '1' },
];

const wrongSelections = (victim: Victim): readonly BadInput[] =>
  SELECTIONS.flatMap((query) => [
    { reason: `list by ${JSON.stringify(query)}`, verb: 'list', request: { method: 'GET', path: victim.path, query } },
    ...('limit' in query || 'continue' in query
      ? []
      : [
          {
            reason: `watch by ${JSON.stringify(query)}`,
            verb: 'watch',
            request: { method: 'GET', path: victim.path, query: { ...query, watch: '1', timeoutSeconds: '1' } },
          },
        ]),
  ]);

const INITIAL: readonly Readonly<Record<string, string>>[] = [
  { sendInitialEvents: 'true' },
  { sendInitialEvents: 'true', resourceVersionMatch: 'Exact' },
  { sendInitialEvents: 'perhaps', resourceVersionMatch: 'NotOlderThan' },
  { sendInitialEvents: 'false', resourceVersionMatch: 'Foo' },
];

const WRITE_OPTIONS: readonly Readonly<Record<string, string>>[] = [
  { dryRun: 'Some' },
  { dryRun: 'all' },
  { fieldValidation: 'strict' },
  { fieldValidation: 'Foo', dryRun: 'Some' },
  { fieldManager: 'x'.repeat(129) },
  { fieldManager: 'a\u0001b' },
  { pretty: 'maybe', dryRun: 'All' },
  { nothing: '1', dryRun: 'All' },
  { timeout: 'soon' },
];

const DELETE_OPTIONS: readonly Readonly<Record<string, string>>[] = [
  { dryRun: 'Some' },
  { propagationPolicy: 'Foo' },
  { propagationPolicy: 'Orphan', orphanDependents: 'true' },
  { gracePeriodSeconds: 'x' },
  { gracePeriodSeconds: '1.5' },
  { orphanDependents: 'perhaps', dryRun: 'All' },
];

function wrongOptions(victim: Victim): readonly BadInput[] {
  const writes = WRITE_OPTIONS.flatMap((query) => {
    const reason = JSON.stringify(query);
    return [
      { reason: `create with ${reason}`, verb: 'create', request: { ...json('POST', victim.path, other(victim, 'opted')), query } },
      { reason: `update with ${reason}`, verb: 'update', request: { ...json('PUT', one(victim), { ...victim.object, bogus: 1 }), query } },
      { reason: `patch with ${reason}`, verb: 'patch', request: { ...json('PATCH', one(victim), {}), type: MERGE, query } },
    ];
  });
  const deletes = DELETE_OPTIONS.map((query) => ({
    reason: `delete with ${JSON.stringify(query)}`,
    verb: 'delete',
    request: { method: 'DELETE', path: one(victim), query },
  }));
  const watches = [
    'watch=perhaps&timeoutSeconds=1&resourceVersion=q',
    'watch=1&timeoutSeconds=x',
    'allowWatchBookmarks=maybe&limit=1',
    '%',
    'a=%zz&limit=q',
    ';',
    'limit=q;watch=1',
    '&&=',
  ].map((query) => ({ reason: `list with ?${query}`, verb: 'list', request: { method: 'GET', path: victim.path, query } }));
  const initial = INITIAL.map((query) => ({
    reason: `watch with ${JSON.stringify(query)}`,
    verb: 'watch',
    request: {
      method: 'GET',
      path: victim.path,
      query: { ...query, fieldSelector: 'metadata.name=victim', watch: '1', timeoutSeconds: '1' },
    },
  }));
  return [...writes, ...deletes, ...watches, ...initial];
}

const OPERATIONS: readonly unknown[] = [
  [{ op: 'frob', path: '/metadata/labels' }],
  [{ op: 'add', path: 'metadata', value: 1 }],
  [{ op: 'add', path: '/metadata/labels/x/y/z', value: 1 }],
  [{ op: 'add' }],
  [{ path: '/metadata' }],
  [{ op: 'remove', path: '/metadata/nothing' }],
  [{ op: 'replace', path: '/metadata/nothing', value: 1 }],
  [{ op: 'test', path: '/metadata/name', value: 'x' }],
  [{ op: 'test', path: '/metadata/nothing', value: 'x' }],
  [{ op: 'move', from: '/nothing', path: '/metadata/labels' }],
  [{ op: 'copy', path: '/metadata/labels' }],
  [{ op: 'replace', path: '/metadata/name', value: 'other' }],
  [{ op: 'replace', path: '/kind', value: 'Other' }],
  [{ op: 'remove', path: '/metadata' }],
  [{ op: 'replace', path: '', value: {} }],
  [{ op: 'remove', path: '' }],
  [{ op: 'add', path: '/metadata/finalizers/5', value: 'x/y' }],
  [{ op: 'add', path: '/metadata/labels', value: 5 }],
  [{ op: 5, path: '/metadata/labels' }],
  [{ op: 'add', path: 5, value: 1 }],
  [null],
  [[]],
];

const MERGES: readonly unknown[] = [
  { metadata: { name: 'other' } },
  { metadata: { namespace: 'other' } },
  { metadata: { uid: 'other' } },
  { metadata: { resourceVersion: '1' } },
  { metadata: { resourceVersion: 'q' } },
  { metadata: { labels: [] } },
  { metadata: { labels: { x: 1 } } },
  { metadata: 5 },
  { metadata: null },
  { kind: 'Other' },
  { apiVersion: 'v9' },
  { apiVersion: 5 },
];

const STRATEGIC_ONES: readonly unknown[] = [
  { $patch: 'frob' },
  { metadata: { labels: { $patch: 'frob' } } },
  { metadata: { labels: { $patch: 5 } } },
  { metadata: { labels: { $retainKeys: 'x' } } },
  { metadata: { labels: { $retainKeys: ['y'], x: '1' } } },
  { metadata: { '$deleteFromPrimitiveList/finalizers': 'x' } },
  { metadata: { '$setElementOrder/finalizers': 'x' } },
  { metadata: { '$setElementOrder/finalizers': ['a/b'], finalizers: ['c/d'] } },
  { metadata: { ownerReferences: [{ name: 'no key' }] } },
  { metadata: { ownerReferences: [5] } },
  { metadata: { ownerReferences: [{ $patch: 'frob', uid: 'u' }] } },
  { metadata: { ownerReferences: 5 } },
];

/** More operations than are taken. */
const MANY_OPERATIONS = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/metadata/name', value: 'victim' }));

function wrongPatches(victim: Victim): readonly BadInput[] {
  const patch = (type: string) => (body: unknown) => ({
    reason: `${type}: ${JSON.stringify(body).slice(0, 80)}`,
    verb: 'patch',
    request: { ...json('PATCH', one(victim), body), type, query: { dryRun: 'All' } },
  });
  return [
    ...OPERATIONS.map(patch(JSON_PATCH)),
    ...MERGES.map(patch(MERGE)),
    ...[...MERGES, ...STRATEGIC_ONES].map(patch(STRATEGIC)),
    patch(JSON_PATCH)(MANY_OPERATIONS),
    patch(JSON_PATCH)(MANY_OPERATIONS.slice(1)),
  ];
}

function wrongIdentity(victim: Victim): readonly BadInput[] {
  const bodies: readonly object[] = [
    { ...victim.object, kind: 'Other' },
    { ...victim.object, kind: 'Pod' },
    { ...victim.object, kind: '' },
    { ...victim.object, kind: 5 },
    { ...victim.object, apiVersion: 'v9' },
    { ...victim.object, apiVersion: 'a/b/c' },
    { ...victim.object, apiVersion: '' },
    { ...victim.object, apiVersion: ['v1'] },
    { ...victim.object, metadata: {} },
    { ...victim.object, metadata: 'x' },
    { ...victim.object, metadata: { name: 5 } },
    { ...victim.object, metadata: { name: ['x'] } },
    other(victim, ''),
    other(victim, 'Bad_Name'),
    other(victim, 'a/b'),
    other(victim, 'x'.repeat(254)),
    other(victim, 'other'),
    other(victim, 'victim', { namespace: 'other' }),
    other(victim, 'victim', { namespace: '' }),
    other(victim, 'victim', { uid: 'other' }),
    other(victim, 'victim', { resourceVersion: 'q' }),
    other(victim, 'victim', { resourceVersion: '1' }),
    other(victim, 'victim', { labels: { 'a b': 'c' } }),
    other(victim, 'victim', { finalizers: ['no spaces'] }),
    other(victim, 'victim', { creationTimestamp: 'yesterday' }),
    {},
  ];
  return bodies.flatMap((body) => [
    {
      reason: `create ${JSON.stringify(body).slice(0, 120)}`,
      verb: 'create',
      request: { ...json('POST', victim.path, body), query: { dryRun: 'All' } },
    },
    {
      reason: `update by ${JSON.stringify(body).slice(0, 120)}`,
      verb: 'update',
      request: { ...json('PUT', one(victim), body), query: { dryRun: 'All' } },
    },
  ]);
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function wrongPaths(victim: Victim): readonly BadInput[] {
  const root = victim.path.replace(/\/namespaces\/.*/, '');
  const paths = [
    '/nothing',
    '/api/v9/pods',
    '/apis/no.such.group/v1/things',
    `${root}/nothings`,
    `${root}/namespaces/${NAMESPACE}/nothings`,
    `${root}/namespaces/${NAMESPACE}/nothings/x`,
    `${one(victim)}/bogus`,
    `${one(victim)}/scale/more`,
    `${one(victim)}/log`,
  ];
  const about = paths.flatMap((path) =>
    METHODS.map((method) => ({
      reason: `${method} ${path}`,
      verb: 'no such path',
      request:
        method === 'GET' || method === 'DELETE'
          ? { method, path }
          : { ...json(method, path, {}), ...(method === 'PATCH' && { type: MERGE }) },
    })),
  );
  const misplaced = [
    { method: 'PUT', path: victim.path },
    { method: 'PATCH', path: victim.path },
    { method: 'POST', path: one(victim) },
    { method: 'POST', path: `${root}/${victim.path.split('/').at(-1)}` },
    { method: 'DELETE', path: `${root}/${victim.path.split('/').at(-1)}` },
    { method: 'POST', path: victim.path.replace(NAMESPACE, 'no-such-namespace') },
    { method: 'GET', path: `${victim.path.replace(NAMESPACE, 'no-such-namespace')}/x` },
  ].map(({ method, path }) => ({
    reason: `${method} ${path}`,
    verb: 'misplaced',
    request: {
      ...(method === 'GET' || method === 'DELETE' ? { method, path } : json(method, path, other(victim, 'placed'))),
      ...(method === 'PATCH' && { type: MERGE }),
    },
  }));
  const methods = ['OPTIONS', 'TRACE', 'HEAD'].map((method) => ({
    reason: `${method} of an object`,
    verb: 'unknown method',
    request: { method, path: one(victim) },
  }));
  return [...about, ...misplaced, ...methods];
}

function wrongUsers(victim: Victim): readonly BadInput[] {
  const credentials: readonly Readonly<Record<string, string>>[] = [
    { authorization: 'Bearer wrong' },
    { authorization: 'Bearer ' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer a b' },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
    { authorization: `Bearer ${'x'.repeat(5000)}` },
    { authorization: 'Negotiate abc' },
    { authorization: '' },
    { 'impersonate-user': 'nobody' },
    { 'impersonate-user': 'nobody', 'impersonate-group': 'system:masters' },
    { 'impersonate-group': 'all' },
    { 'impersonate-user': '' },
  ];
  const whole = JSON.stringify(other(victim, 'theirs'));
  const asked: readonly WireRequest[] = [
    { method: 'GET', path: one(victim) },
    { method: 'GET', path: victim.path, query: { labelSelector: 'x in (' } },
    { method: 'GET', path: one(victim), accept: 'text/html' },
    { method: 'POST', path: victim.path, query: { dryRun: 'All' }, type: JSON_TYPE, body: whole },
    { method: 'POST', path: victim.path, type: 'text/plain', body: whole },
    { method: 'POST', path: victim.path, type: JSON_TYPE, body: '{' },
    { method: 'PATCH', path: one(victim), type: JSON_TYPE, body: '{}' },
    { method: 'DELETE', path: one(victim), query: { dryRun: 'All' } },
    { method: 'OPTIONS', path: one(victim) },
    { method: 'GET', path: `${one(victim)}/bogus` },
  ];
  return credentials.flatMap((headers) =>
    asked.map((request) => ({
      reason: `${JSON.stringify(headers).slice(0, 60)}: ${request.method} ${request.type ?? request.accept ?? ''} ${request.path}`,
      verb: 'by whom',
      request: { ...request, headers },
    })),
  );
}
