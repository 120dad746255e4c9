import { describe, expect, test } from 'vitest';
import { HOUR, PlatformError, SECOND, toTime, after, type Logger } from '../../../../base/index.ts';
import { AWX_TOKEN, FakeAwx } from '../../../../testkit/awx/fake-awx.ts';
import { fakeClient, refusal, type FakeCall } from '../../../../testkit/fake-client.ts';
import { ManualClock } from '../../../../testkit/manual-clock.ts';
import { createAwxCalls } from './perform-awx-step.ts';
import { AwxFailures, type AwxConnection } from './awx-connection.ts';
import { awxStep, type AwxStep } from './awx-step.ts';
import type { AwxSend } from './client/awx-request.ts';
import { aPlaybook, SETTINGS } from './testing/awx-case.ts';
import { neededCredentials } from './launch/needed-credentials.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const EXPIRES = '2026-11-15T05:00:00Z';

interface Stage {
  readonly awx?: FakeAwx;
  readonly send?: AwxSend;
  /** Answers instead of the cluster, where it says something. */
  readonly cluster?: (call: FakeCall) => unknown;
  readonly hasAddress?: boolean;
  readonly signal?: AbortSignal;
}

/** Performs steps for one execution, and tells what was noted, logged and asked of the cluster. */
function stage({ awx = new FakeAwx(), send, cluster, hasAddress = true, signal = new AbortController().signal }: Stage = {}) {
  const logged: unknown[] = [];
  const log = { warn: (message: string, fields: unknown) => void logged.push([message, fields]) } as unknown as Logger;
  const notes = new AwxFailures();
  const clock = new ManualClock();
  const { client, calls } = fakeClient((call) => {
    const said = cluster?.(call);
    if (said !== undefined) return said;
    if (call.verb === 'subresource') return { status: { token: 'a-token', expirationTimestamp: EXPIRES } };
    if (call.target.endsWith('/awx-token')) return { data: { token: base64(AWX_TOKEN) } };
    throw refusal(404, 'NotFound');
  });
  const door: AwxConnection = {
    send: send ?? ((request) => Promise.resolve(awx.handle(request))),
    notes,
    ...(hasAddress && { cluster: { host: 'https://10.0.0.1', ca: 'CA' } }),
  };
  const handler = createAwxCalls({ door, client, settings: () => SETTINGS, clock, log });
  const run = (step: AwxStep, execution = aPlaybook()) => handler({ key: 'k', input: step, subject: execution }, signal);
  return { awx, run, notes, logged, calls, clock, note: (about: 'launch' | 'rest' = 'rest') => notes.of('wfe-1', about) };
}

const [mark, , ofSecret, ofToken] = neededCredentials(aPlaybook(), { secrets: [{ name: 'db', keys: ['password'] }], account: 'mender' });
if (!mark || !ofSecret || !ofToken) throw new Error('four credentials are wanted');
const createSecret: AwxStep = { do: 'create credential', wanted: ofSecret, type: 1 };
const createToken: AwxStep = { do: 'create credential', wanted: ofToken, type: 1 };
const withSecret = (data: Readonly<Record<string, string>> | undefined) => (call: FakeCall) =>
  call.target.endsWith('/db') ? { ...(data && { data }) } : undefined;

test.each<{ step: AwxStep; key: string }>([
  { step: { do: 'create type', wanted: mark }, key: `wfe-1 create type ${mark.name}` },
  { step: { do: 'create credential', wanted: mark, type: 1 }, key: `wfe-1 create credential ${mark.name}` },
  { step: { do: 'launch', template: 1, extraVars: {}, credentials: [] }, key: 'wfe-1 launch' },
  { step: { do: 'delete credential', id: 5 }, key: 'wfe-1 delete credential 5' },
  { step: { do: 'delete type', id: 6 }, key: 'wfe-1 delete type 6' },
  { step: { do: 'cancel', job: 7 }, key: 'wfe-1 cancel 7' },
])('a step has a key of its own, so that it never runs twice at the same time: $key', ({ step, key }) =>
  expect(awxStep(aPlaybook(), step)).toEqual({ kind: 'Call', run: 'awx', key, input: step }),
);

describe('what goes wrong', () => {
  test('is noted and logged, and forgotten once it goes well', async () => {
    let isWell = false;
    const awx = new FakeAwx();
    const { run, note, logged } = stage({
      awx,
      send: (request) => Promise.resolve(isWell ? awx.handle(request) : { code: 403, text: '{"detail":"no"}' }),
    });
    await run({ do: 'create type', wanted: mark });
    const message = expect.stringMatching(/^POST \/api\/v2\/credential_types\/: AWX answered 403/) as string;
    expect(note()).toEqual({ code: 'Forbidden', message });
    expect(note('launch')).toBeUndefined();
    expect(logged).toEqual([
      [
        'AWX refused a call or did not answer',
        { step: 'create type', execution: 'sickbay-system/we-rr-1', code: 'Forbidden', error: message },
      ],
    ]);
    isWell = true;
    await run({ do: 'create type', wanted: mark });
    expect(note()).toBeUndefined();
    expect(logged).toHaveLength(1);
  });

  test('with a launch is noted beside the rest', async () => {
    const { run, note } = stage();
    await run({ do: 'launch', template: 9, extraVars: {}, credentials: [] });
    expect(note('launch')).toMatchObject({ code: 'NotFound' });
    expect(note()).toBeUndefined();
  });

  test('because the process stops is not recorded as a failure', async () => {
    const { run, note } = stage({ signal: AbortSignal.abort(), send: () => Promise.reject(new PlatformError('Unavailable', 'aborted')) });
    await expect(run({ do: 'create type', wanted: mark })).rejects.toThrow('aborted');
    expect(note()).toBeUndefined();
  });

  test('by a fault of ours is not noted as an answer', async () => {
    const { run, note } = stage({
      cluster: () => {
        throw new TypeError('a bug');
      },
    });
    await expect(run({ do: 'create type', wanted: mark })).rejects.toThrow('a bug');
    expect(note()).toBeUndefined();
  });

  test('without a token nothing is asked of AWX', async () => {
    const { awx, run, note } = stage({ cluster: ({ target }) => (target.endsWith('/awx-token') ? { data: {} } : undefined) });
    await run({ do: 'create type', wanted: mark });
    expect(note()).toEqual({ code: 'Unauthorized', message: expect.stringContaining('has no token for AWX under token') as string });
    expect(awx.asked).toEqual([]);
  });
});

describe('a name that AWX has already', () => {
  const refuse = { code: 400, text: '{"name":["taken"]}' };

  test.each<{ name: string; step: AwxStep; isThere: boolean }>([
    { name: 'is taken for ours: type', step: { do: 'create type', wanted: mark }, isThere: true },
    { name: 'is taken for ours: credential', step: { do: 'create credential', wanted: mark, type: 1 }, isThere: true },
    { name: 'that is not there was refused for another reason: type', step: { do: 'create type', wanted: mark }, isThere: false },
    {
      name: 'that is not there was refused for another reason: credential',
      step: { do: 'create credential', wanted: mark, type: 1 },
      isThere: false,
    },
  ])('$name', async ({ step, isThere }) => {
    const awx = new FakeAwx();
    awx.state.addCredential('another');
    if (isThere) {
      awx.state.addCredential(mark.name);
      awx.state.types.set(900, { id: 900, name: mark.name, kind: 'cloud', inputs: {}, injectors: {} });
    }
    const { run, note } = stage({ awx, send: (request) => Promise.resolve(request.method === 'POST' ? refuse : awx.handle(request)) });
    await run(step);
    expect(note()?.code).toBe(isThere ? undefined : 'Invalid');
    const path = step.do === 'create type' ? '/api/v2/credential_types/' : '/api/v2/credentials/';
    expect(awx.asked).toMatchObject([{ method: 'GET', path, query: { name: mark.name } }]);
    expect(awx.offences).toEqual([]);
  });

  test('is not searched for when AWX does not answer', async () => {
    const awx = new FakeAwx();
    const { run, note } = stage({ awx, send: () => Promise.resolve({ code: 500, text: '' }) });
    await run({ do: 'create type', wanted: mark });
    expect(note()?.code).toBe('Unavailable');
    expect(awx.asked).toEqual([]);
  });
});

describe('what a credential is filled with', () => {
  const filled = async (step: AwxStep, options: Stage = {}) => {
    const awx = new FakeAwx();
    awx.state.types.set(1, { id: 1, name: 'type', kind: 'cloud', inputs: {}, injectors: {} });
    const bodies: unknown[] = [];
    const send: AwxSend = (request) => {
      bodies.push(request.body);
      return Promise.resolve({ code: 201, text: '{}' });
    };
    const staged = stage({ ...options, awx, send });
    await staged.run(step);
    return { bodies, note: staged.note(), calls: staged.calls };
  };

  test('nothing, for a mark', async () => {
    const { bodies } = await filled({ do: 'create credential', wanted: mark, type: 4 });
    expect(bodies).toEqual([{ name: mark.name, description: '', organization: 1, credential_type: 4, inputs: {} }]);
  });

  test('the entries of a Secret', async () => {
    const { bodies } = await filled(createSecret, { cluster: withSecret({ password: base64('päss\nword'), other: base64('x') }) });
    expect(bodies).toMatchObject([{ description: '', inputs: { KUBERNAUT_SECRET_DB_PASSWORD: 'päss\nword' } }]);
  });

  test.each<{ name: string; data?: Readonly<Record<string, string>>; says: RegExp }>([
    { name: 'no entry any more', data: {}, says: /^Secret kubernaut-workflows\/db, entry password no longer exists$/ },
    { name: 'nothing at all any more', says: /entry password no longer exists$/ },
    {
      name: 'bytes that are no text',
      data: { password: Buffer.from([0xff, 0xfe]).toString('base64') },
      says: /^Secret kubernaut-workflows\/db, entry password is not text/,
    },
    { name: 'text that ends too soon', data: { password: base64('a\0b') }, says: /is not text/ },
  ])('a Secret with $name is not handed over', async ({ data, says }) => {
    const { bodies, note } = await filled(createSecret, { cluster: withSecret(data) });
    expect(bodies).toEqual([]);
    expect(note).toEqual({ code: 'Invalid', message: expect.stringMatching(says) as string });
  });

  test('a token of the account and the address of the cluster, with the end of the token beside it', async () => {
    const { bodies, calls } = await filled(createToken);
    expect(bodies).toMatchObject([
      { description: `token until ${EXPIRES}`, inputs: { host: 'https://10.0.0.1', bearer_token: 'a-token', ssl_ca_cert: 'CA' } },
    ]);
    expect(calls.find(({ verb }) => verb === 'subresource')).toMatchObject({
      target: 'serviceaccounts kubernaut-workflows/mender',
      body: { name: 'token', body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' } },
    });
  });

  test('a token without an expiry', async () => {
    const { bodies } = await filled(createToken, {
      cluster: ({ verb }) => (verb === 'subresource' ? { status: { token: 'a-token' } } : undefined),
    });
    expect(bodies).toMatchObject([{ description: '' }]);
  });

  test.each<{ name: string; options: Stage; says: string }>([
    {
      name: 'there is no address for playbooks',
      options: { hasAddress: false },
      says: 'no address of the cluster is configured for playbooks',
    },
    {
      name: 'the cluster gives an empty token',
      options: { cluster: ({ verb }) => (verb === 'subresource' ? { status: { token: '' } } : undefined) },
      says: 'the API server returned no token for ServiceAccount kubernaut-workflows/mender',
    },
    {
      name: 'the cluster gives none',
      options: { cluster: ({ verb }) => (verb === 'subresource' ? {} : undefined) },
      says: 'the API server returned no token for ServiceAccount kubernaut-workflows/mender',
    },
  ])('no token, where $name', async ({ options, says }) => {
    const { bodies, note } = await filled(createToken, options);
    expect(bodies).toEqual([]);
    expect(note).toEqual({ code: 'Invalid', message: says });
  });

  test.each<{ name: string; leftMs?: number; want: number }>([
    { name: 'an hour, where the run has to end before', leftMs: HOUR - SECOND, want: 3_600 },
    { name: 'an hour, where the run has no end', want: 3_600 },
    { name: 'as long as the run may take', leftMs: 2 * HOUR, want: 7_200 },
  ])('a token is asked for $name', async ({ leftMs, want }) => {
    const { run, calls, clock } = stage();
    const { timesOutAt: _, ...spec } = aPlaybook().spec;
    await run(createToken, {
      ...aPlaybook(),
      spec: { ...spec, ...(leftMs !== undefined && { timesOutAt: toTime(after(clock.now(), leftMs)) }) },
    });
    expect(calls.find(({ verb }) => verb === 'subresource')?.body).toMatchObject({ body: { spec: { expirationSeconds: want } } });
  });
});

describe('a job that was launched without what it needs', () => {
  const launched = async (answer: object) => {
    const paths: string[] = [];
    const { run, note } = stage({
      send: ({ path }) => {
        paths.push(path);
        return Promise.resolve(path.endsWith('/cancel/') ? { code: 202, text: '' } : { code: 201, text: JSON.stringify(answer) });
      },
    });
    await run({ do: 'launch', template: 3, extraVars: {}, credentials: [] });
    return { paths, note: note('launch') };
  };

  test.each<{ name: string; answer: object; cancels?: number }>([
    { name: 'is cancelled', answer: { job: 8, ignored_fields: { credentials: [1], extra_vars: {} } }, cancels: 8 },
    { name: 'is known by its id as well', answer: { id: 9, ignored_fields: { credentials: [1], extra_vars: {} } }, cancels: 9 },
    { name: 'by its number as a job first', answer: { job: 8, id: 9, ignored_fields: { credentials: [1], extra_vars: {} } }, cancels: 8 },
    { name: 'cannot be cancelled without a number', answer: { ignored_fields: { credentials: [1] } } },
    { name: 'is another one than this', answer: { job: 8, ignored_fields: {} } },
    { name: 'is another one than this, of which AWX says nothing', answer: { job: 8 } },
  ])('$name', async ({ answer, cancels }) => {
    const { paths, note } = await launched(answer);
    expect(paths.slice(1)).toEqual(cancels === undefined ? [] : [`/api/v2/jobs/${cancels}/cancel/`]);
    expect(note?.message).toBe(
      cancels === undefined ? undefined : `AWX launched job ${cancels} but left out its credentials and extra_vars, so it was cancelled`,
    );
  });
});

test('a type is deleted as a type', async () => {
  const { awx, run, note } = stage();
  awx.state.types.set(900, { id: 900, name: mark.name, kind: 'cloud', inputs: {}, injectors: {} });
  await run({ do: 'delete type', id: 900 });
  expect(awx.state.types.size).toBe(0);
  expect(note()).toBeUndefined();
});

test('of a thousand executions the one whose trouble is oldest is forgotten first', () => {
  const notes = new AwxFailures();
  const trouble = { code: 'Invalid', message: 'no' } as const;
  for (let i = 0; i < 1_000; i++) notes.set(`uid-${i}`, 'rest', trouble);
  expect(notes.of('uid-0', 'rest')).toEqual(trouble);
  notes.set('uid-0', 'rest', trouble);
  notes.set('one-more', 'rest', trouble);
  expect(['uid-0', 'uid-1', 'uid-2', 'one-more'].map((uid) => notes.of(uid, 'rest') !== undefined)).toEqual([true, false, true, true]);
});
