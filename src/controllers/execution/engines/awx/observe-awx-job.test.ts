import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../../../api/meta.ts';
import type { RemediationWorkflow } from '../../../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../../../api/resource.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { AWX_TOKEN, FakeAwx } from '../../../../testkit/awx/fake-awx.ts';
import type { FakeJob } from '../../../../testkit/awx/awx-state.ts';
import type { Read, Reader } from '../../../../runtime/reconcile/controller.ts';
import type { Settings } from '../../../settings.ts';
import { markName } from './launch/needed-credentials.ts';
import { aPlaybook, SETTINGS } from './testing/awx-case.ts';
import { AwxFailures, type AwxConnection } from './index.ts';
import { observeAfterEnd, observeBeforeLaunch, observeLaunched } from './observe-awx-job.ts';
import { isInAwx, NOT_READ } from '../../observed-execution.ts';
import { entryFor } from '../../testing/builders.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const RUNS = SETTINGS.executionNamespace;

const anObject = (kind: string, key: ObjectKey, rest: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind, metadata: { ...key, uid: `${kind}-${key.name}` }, ...rest }) as unknown as KubeObject;
const aSecret = (name: string, data?: Readonly<Record<string, string>>, namespace = RUNS): KubeObject =>
  anObject('Secret', { namespace, name }, data && { data: Object.fromEntries(Object.entries(data).map(([k, v]) => [k, base64(v)])) });
const aConfigMap = (name: string, data?: object): KubeObject => anObject('ConfigMap', { namespace: RUNS, name }, data && { data });
const anAccount = (name: string): KubeObject => anObject('ServiceAccount', { namespace: RUNS, name });
const ourToken = (text = `${AWX_TOKEN}\n`): KubeObject => aSecret('awx-token', { token: text }, SETTINGS.namespace);

interface World {
  readonly objects?: readonly KubeObject[];
  /** Names of what cannot be read. */
  readonly hidden?: readonly string[];
  readonly settings?: Settings;
  readonly hasCluster?: boolean;
  readonly catalogue?: readonly RemediationWorkflow[] | 'unreadable';
  /** Answers instead of AWX, where it says something. */
  readonly instead?: (path: string) => { readonly code: number; readonly text: string } | undefined;
}

/** An AWX, a cluster, and the question about an execution in both. */
function aWorld({ objects = [ourToken()], hidden = [], settings = SETTINGS, hasCluster = true, catalogue = [], instead }: World = {}) {
  const awx = new FakeAwx();
  const notes = new AwxFailures();
  const read = (resource: Resource, { namespace, name }: ObjectKey): Read<KubeObject> => {
    if (hidden.includes(name)) return { kind: 'unreadable', reason: `${name} is forbidden` };
    const value = objects.find(
      ({ kind, metadata }) => kind === resource.kind && metadata.name === name && metadata.namespace === namespace,
    );
    return value ? { kind: 'value', value } : { kind: 'absent' };
  };
  const entries = catalogue === 'unreadable' ? { kind: 'unreadable', reason: 'forbidden' } : { kind: 'value', value: catalogue };
  const reader = {
    fetch: (resource: Resource, key: ObjectKey) => Promise.resolve(read(resource, key)),
    list: () => entries,
    fetchList: () => Promise.resolve(entries),
  } as unknown as Reader;
  const door: AwxConnection = {
    send: (request) => Promise.resolve(instead?.(request.path) ?? awx.handle(request)),
    notes,
    ...(hasCluster && { cluster: { host: 'https://10.0.0.1', ca: 'CA' } }),
  };
  const ask = (object: WorkflowExecution) => ({ object, reader, settings, door });
  return { awx, notes, ask };
}

/** A plan that depends on these. */
function needing(secrets: readonly string[] = [], configMaps: readonly string[] = [], account?: string): WorkflowExecution['spec'] {
  const { serviceAccountName: _, ...workflowRef } = aPlaybook().spec.workflowRef;
  return {
    ...aPlaybook().spec,
    workflowRef: {
      ...workflowRef,
      ...(account !== undefined && { serviceAccountName: account }),
      dependencies: { secrets: secrets.map((name) => ({ name })), configMaps: configMaps.map((name) => ({ name })) },
    },
  };
}

/** A job in AWX, with the credentials that it carries. */
function addJob({ state }: FakeAwx, change: Partial<FakeJob> = {}): FakeJob {
  const job: FakeJob = {
    id: state.nextId(),
    name: 'mend',
    job_template: 1,
    status: 'running',
    started: '2026-11-15T05:00:00Z',
    finished: null,
    job_explanation: '',
    extra_vars: {},
    credentials: new Set(),
    environment: {},
    stdout: '',
    cancel_flag: false,
    ...change,
  };
  state.jobs.set(job.id, job);
  return job;
}

const started = (uid?: string): WorkflowExecution =>
  aPlaybook({ status: { phase: 'Running', executionRef: { kind: 'AWXJob', ...(uid !== undefined && { uid }) } } });
const ours = (what: string): string => markName(aPlaybook().metadata).replace('-mark-', `-${what}-`);

test('an execution is in AWX once the intent to launch is recorded in status', () => {
  expect(
    [started(), started('7'), aPlaybook(), { ...aPlaybook(), status: undefined }].map((one) => isInAwx(one as WorkflowExecution)),
  ).toEqual([true, true, false, false]);
});

describe('AWX is not asked', () => {
  test('for a workflow of another engine', async () => {
    const { ask, awx } = aWorld();
    const plan = { ...needing(), workflowRef: { ...needing().workflowRef, executionEngine: 'job' as const } };
    expect(await observeBeforeLaunch(ask(aPlaybook()), plan)).toEqual(NOT_READ);
    expect(awx.asked).toEqual([]);
  });

  test('after the end of one that has nothing there', async () => {
    const { ask, awx } = aWorld();
    expect(await observeAfterEnd(ask(aPlaybook({ isTouched: false })))).toEqual(NOT_READ);
    expect(awx.asked).toEqual([]);
  });

  test('where there is no way to it', async () => {
    const { door: _, ...question } = aWorld().ask(aPlaybook());
    const noWay = { kind: 'unreadable', reason: 'this process has no connection to AWX' };
    expect(await observeBeforeLaunch(question, needing())).toEqual(noWay);
    expect(await observeLaunched({ ...question, object: started() })).toEqual(noWay);
    expect(await observeAfterEnd(question)).toEqual(noWay);
  });

  test.each<{ name: string; world: World; says: string }>([
    {
      name: 'without its address',
      world: { settings: { ...SETTINGS, ansible: { tokenSecretRef: SETTINGS.ansible.tokenSecretRef, organizationID: 1 } } },
      says: 'ansible.apiURL is not set in the configuration',
    },
    {
      name: 'without the Secret of the token',
      world: { objects: [] },
      says: 'Secret kubernaut-system/awx-token has no token for AWX under token (ansible.tokenSecretRef)',
    },
    {
      name: 'with the token under another key',
      world: { objects: [aSecret('awx-token', { other: AWX_TOKEN }, SETTINGS.namespace)] },
      says: 'has no token for AWX under token',
    },
    { name: 'with an empty Secret', world: { objects: [aSecret('awx-token', undefined, SETTINGS.namespace)] }, says: 'has no token' },
    { name: 'with a token that no header can carry', world: { objects: [ourToken('two words')] }, says: 'has no token' },
    { name: 'with a token that begins well', world: { objects: [ourToken('good\u0001')] }, says: 'has no token' },
    { name: 'with a token that ends well', world: { objects: [ourToken('\u0001good')] }, says: 'has no token' },
    { name: 'with a token that cannot be read', world: { hidden: ['awx-token'] }, says: 'the token for AWX: awx-token is forbidden' },
  ])('$name', async ({ world, says }) => {
    const { ask, awx } = aWorld(world);
    const text = says.replace('kubernaut-system', SETTINGS.namespace);
    for (const seen of [
      await observeBeforeLaunch(ask(aPlaybook()), needing()),
      await observeLaunched(ask(started())),
      await observeAfterEnd(ask(aPlaybook())),
    ])
      expect(seen).toEqual({ kind: 'unreadable', reason: expect.stringContaining(text) as string });
    expect(awx.asked).toEqual([]);
  });
});

test('the token is taken from where the configuration says', async () => {
  const elsewhere = { ...SETTINGS.ansible, tokenSecretRef: { name: 'key', namespace: 'vault', key: 'awx' } };
  const { ask, awx } = aWorld({
    settings: { ...SETTINGS, ansible: elsewhere },
    objects: [aSecret('key', { awx: AWX_TOKEN }, 'vault'), ourToken('wrong')],
  });
  expect(await observeAfterEnd(ask(aPlaybook()))).toMatchObject({ kind: 'remains' });
  expect(awx.asked.every(({ code }) => code === 200)).toBe(true);
});

test('a refusal of AWX is reported, and a fault of ours is not taken for its answer', async () => {
  const refusal = aWorld({ objects: [ourToken('another-token')] });
  expect(await observeAfterEnd(refusal.ask(aPlaybook()))).toEqual({
    kind: 'unreadable',
    reason: expect.stringMatching(/AWX answered 401.*ansible.tokenSecretRef/) as string,
  });
  const { ask } = aWorld();
  const broken = {
    ...ask(aPlaybook()),
    reader: { fetch: () => Promise.resolve({ kind: 'value', value: ourToken() }) } as unknown as Reader,
  };
  const door = { ...broken.door, notes: undefined as unknown as AwxFailures };
  await expect(Promise.resolve(observeAfterEnd({ ...broken, door }))).rejects.toThrow(TypeError);
});

describe('before the launch', () => {
  test('the template, all that the workflow depends on, and what was created for it already are read', async () => {
    const { ask, awx, notes } = aWorld({
      objects: [
        ourToken(),
        aSecret('db', { password: 'x', host: 'y' }),
        aSecret('empty'),
        aConfigMap('limits', { MAX: '3' }),
        aConfigMap('bare'),
        anAccount('mender'),
      ],
      hidden: ['locked'],
    });
    const { id } = awx.state.addTemplate({
      name: 'mend',
      credentials: [awx.state.addCredential('machine').id],
      ask_variables_on_launch: false,
      inventory_needed_to_start: true,
      passwords_needed_to_start: ['ssh_password'],
      variables_needed_to_start: ['REPLICAS'],
    });
    const machine = [...awx.state.credentials.keys()];
    const own = awx.state.addCredential(ours('mark'));
    awx.state.addCredential(`somebody-${aPlaybook().metadata.uid}`);
    awx.state.addCredential(ours('mark').replace(/wfe-1$/, 'wfe-2'));
    awx.state.types.set(900, { id: 900, name: ours('fence'), kind: 'cloud', inputs: {}, injectors: {} });
    notes.set(aPlaybook().metadata.uid, 'rest', { code: 'Invalid', message: 'no' });
    notes.set(aPlaybook().metadata.uid, 'launch', { code: 'Invalid', message: 'not this' });
    const seen = await observeBeforeLaunch(
      ask(aPlaybook()),
      needing(['db', 'empty', 'locked', 'gone', 'db'], ['limits', 'bare', 'absent'], 'mender'),
    );
    expect(seen).toEqual({
      kind: 'start',
      template: {
        kind: 'value',
        value: {
          id,
          credentials: machine,
          asksVariables: false,
          asksCredentials: true,
          needsInventory: true,
          passwordsNeeded: ['ssh_password'],
          variablesNeeded: ['REPLICAS'],
        },
      },
      secrets: [
        { name: 'db', read: { kind: 'value', value: ['host', 'password'] } },
        { name: 'empty', read: { kind: 'value', value: [] } },
        { name: 'locked', read: { kind: 'unreadable', reason: 'locked is forbidden' } },
        { name: 'gone', read: { kind: 'absent' } },
      ],
      configMaps: [
        { name: 'limits', read: { kind: 'value', value: { MAX: '3' } } },
        { name: 'bare', read: { kind: 'value', value: {} } },
        { name: 'absent', read: { kind: 'absent' } },
      ],
      account: { name: 'mender', isNamed: true, read: { kind: 'value', value: anAccount('mender') } },
      types: [expect.objectContaining({ id: 900, name: ours('fence') })],
      credentials: [expect.objectContaining({ id: own.id, name: own.name })],
      trouble: { code: 'Invalid', message: 'no' },
    });
    expect(awx.offences).toEqual([]);
  });

  test('a plan that names no account and depends on nothing leaves the common account to read', async () => {
    const { ask } = aWorld();
    const { dependencies: _, ...workflowRef } = needing().workflowRef;
    const seen = await observeBeforeLaunch(ask(aPlaybook()), { ...needing(), workflowRef });
    expect(seen).toEqual({
      kind: 'start',
      template: { kind: 'absent' },
      secrets: [],
      configMaps: [],
      account: { name: 'kubernaut-workflow-runner', isNamed: false, read: { kind: 'absent' } },
      types: [],
      credentials: [],
    });
  });

  test('where no address of the cluster is configured no account is read', async () => {
    const { ask } = aWorld({ hasCluster: false });
    expect(await observeBeforeLaunch(ask(aPlaybook()), needing([], [], 'mender'))).not.toHaveProperty('account');
  });

  test.each<{ name: string; organizations: readonly number[]; want: string }>([
    { name: 'one of another organization, alone of its name', organizations: [2], want: 'value' },
    { name: 'two of ours', organizations: [1, 1], want: 'several' },
    { name: 'one of ours and one of another', organizations: [2, 1], want: 'value' },
    { name: 'two of others', organizations: [2, 3], want: 'several' },
  ])('$name: $want', async ({ organizations, want }) => {
    const { ask, awx } = aWorld();
    awx.state.addTemplate({ name: 'mend it', organization: 1 });
    for (const organization of organizations) awx.state.addTemplate({ name: 'mend', organization });
    expect(await observeBeforeLaunch(ask(aPlaybook()), needing())).toMatchObject({ template: { kind: want } });
  });

  test('a template that is deleted between two reads is absent', async () => {
    const { ask, awx } = aWorld({
      instead: (path) => (path.endsWith('/launch/') ? { code: 404, text: '{"detail":"Not found."}' } : undefined),
    });
    awx.state.addTemplate({ name: 'mend' });
    expect(await observeBeforeLaunch(ask(aPlaybook()), needing())).toMatchObject({ template: { kind: 'absent' } });
  });

  test('what AWX does not say of a template is not asked for, and not needed', async () => {
    const { ask, awx } = aWorld({
      instead: (path) => (path.endsWith('/launch/') ? { code: 200, text: '{"passwords_needed_to_start":["a",1]}' } : undefined),
    });
    awx.state.addTemplate({ name: 'mend' });
    expect(await observeBeforeLaunch(ask(aPlaybook()), needing())).toMatchObject({
      template: {
        value: { asksVariables: false, asksCredentials: false, needsInventory: false, passwordsNeeded: ['a'], variablesNeeded: [] },
      },
    });
  });

  test('a plan without the name of a template has none', async () => {
    const { ask, awx } = aWorld();
    const { engineConfig: _, ...workflowRef } = needing().workflowRef;
    expect(await observeBeforeLaunch(ask(aPlaybook()), { ...needing(), workflowRef })).toMatchObject({ template: { kind: 'absent' } });
    expect(awx.asked.map(({ path }) => path)).not.toContain('/api/v2/job_templates/');
  });
});

describe('while it runs', () => {
  test('the recorded job is read by its number, whatever credentials it carries', async () => {
    const { ask, awx, notes } = aWorld();
    const job = addJob(awx, { job_explanation: '  waits for a node \n' });
    notes.set(aPlaybook().metadata.uid, 'launch', { code: 'Unavailable', message: 'no answer' });
    notes.set(aPlaybook().metadata.uid, 'rest', { code: 'Unavailable', message: 'not this' });
    expect(await observeLaunched(ask(started(String(job.id))))).toEqual({
      kind: 'progress',
      credentials: [],
      job: { kind: 'value', value: { id: job.id, status: 'running', hasStarted: true, explanation: 'waits for a node' } },
      trouble: { code: 'Unavailable', message: 'no answer' },
    });
    expect(awx.asked.map(({ path }) => path)).toEqual([`/api/v2/jobs/${job.id}/`]);
  });

  test('a recorded job that AWX no longer has is absent', async () => {
    expect(await observeLaunched(aWorld().ask(started('7')))).toEqual({ kind: 'progress', credentials: [], job: { kind: 'absent' } });
  });

  test.each<{ name: string; started: string | null; explanation: unknown; want: object }>([
    { name: 'not started', started: null, explanation: '', want: { hasStarted: false, explanation: '' } },
    { name: 'started at no time', started: '', explanation: '', want: { hasStarted: false } },
    { name: 'without an explanation', started: '2026-11-15T05:00:00Z', explanation: null, want: { hasStarted: true, explanation: '' } },
  ])('a job $name', async ({ started: at, explanation, want }) => {
    const { ask, awx } = aWorld();
    const job = addJob(awx, { started: at, job_explanation: explanation as string });
    expect(await observeLaunched(ask(started(String(job.id))))).toMatchObject({ job: { value: want } });
  });

  test.each(['{"id":7}', '{"status":"running"}', '{"id":7.5,"status":"running"}', '{"id":"7","status":"running"}'])(
    'an answer that is no job is not taken for one: %s',
    async (text) => {
      const { ask } = aWorld({ instead: () => ({ code: 200, text }) });
      expect(await observeLaunched(ask(started('7')))).toEqual({
        kind: 'unreadable',
        reason: 'reading a job: the answer of AWX has no id or no status',
      });
    },
  );

  test('without a recorded number the first job that carries our mark is the job', async () => {
    const { ask, awx } = aWorld();
    const mark = awx.state.addCredential(ours('mark'));
    const fence = awx.state.addCredential(ours('fence'));
    const first = addJob(awx, { credentials: new Set([mark.id, fence.id]) });
    const again = addJob(awx, { credentials: new Set([mark.id]) });
    addJob(awx, { id: 1, credentials: new Set([fence.id]) });
    awx.state.jobs.delete(first.id);
    awx.state.jobs.set(first.id, first);
    expect(first.id).toBeLessThan(again.id);
    expect(await observeLaunched(ask(started()))).toMatchObject({
      kind: 'progress',
      credentials: [{ id: mark.id }, { id: fence.id }],
      job: { kind: 'value', value: { id: first.id } },
    });
    expect(awx.offences).toEqual([]);
    expect(awx.asked.at(-1)?.query).toMatchObject({ credentials__id: String(mark.id), order_by: 'id' });
  });

  test.each<{ name: string; made: readonly string[]; asks: boolean }>([
    { name: 'with no job', made: ['mark'], asks: true },
    { name: 'with the mark gone', made: ['fence'], asks: false },
  ])('an execution $name has none', async ({ made, asks }) => {
    const { ask, awx } = aWorld();
    for (const what of made) awx.state.addCredential(ours(what));
    expect(await observeLaunched(ask(started()))).toMatchObject({ job: { kind: 'absent' } });
    expect(awx.asked.some(({ path }) => path === '/api/v2/jobs/')).toBe(asks);
  });
});

describe('what a job said', () => {
  const said = 'connected with hunter2\nand left';
  const entry = (secrets: readonly string[]): RemediationWorkflow => {
    const plain = entryFor(aPlaybook().spec);
    return {
      ...plain,
      spec: { ...plain.spec, dependencies: { secrets: secrets.map((name) => ({ name })), configMaps: [{ name: 'limits' }] } },
    };
  };
  const db = aSecret('db', { password: 'hunter2' });
  const UNTOLD = 'its output is not shown, because the Secrets in it cannot be identified';

  const told = (secrets: readonly string[]): WorkflowExecution => ({ ...started('1'), spec: needing(secrets, ['limits']) });

  test.each<{ name: string; world: World; object?: WorkflowExecution; want: string | undefined }>([
    {
      name: 'without what is in the Secrets of the catalogue',
      world: { objects: [ourToken(), db], catalogue: [entry(['db'])] },
      want: 'connected with ********\nand left',
    },
    { name: 'as it was, where it was given none', world: { catalogue: [entry([])] }, want: said },
    {
      name: 'without what is in the Secrets of the plan, when the catalogue has it no more',
      world: { objects: [ourToken(), db] },
      object: told(['db']),
      want: 'connected with ********\nand left',
    },
    { name: 'not at all, when it is unknown what it was given', world: {}, want: UNTOLD },
    { name: 'not at all, when the catalogue cannot be read', world: { catalogue: 'unreadable' }, want: UNTOLD },
    { name: 'not at all, when a Secret is gone', world: { catalogue: [entry(['db'])] }, want: UNTOLD },
    {
      name: 'not at all, when one of the Secrets cannot be read',
      world: { objects: [ourToken(), db], hidden: ['other'], catalogue: [entry(['db', 'other'])] },
      want: UNTOLD,
    },
    {
      name: 'not at all, when AWX does not answer for it',
      world: { catalogue: [entry([])], instead: (path) => (path.endsWith('/stdout/') ? { code: 500, text: '' } : undefined) },
      want: undefined,
    },
    {
      name: 'not at all, when AWX says it in another way',
      world: { catalogue: [entry([])], instead: (path) => (path.endsWith('/stdout/') ? { code: 200, text: '{"content":7}' } : undefined) },
      want: undefined,
    },
  ])('is reported $name', async ({ world, object = started('1'), want }) => {
    const { ask, awx } = aWorld(world);
    addJob(awx, { id: 1, status: 'failed', stdout: said });
    const seen = await observeLaunched(ask(object));
    expect(seen).toMatchObject({ kind: 'progress', job: { value: { status: 'failed' } } });
    expect('output' in seen ? seen.output : undefined).toBe(want);
    expect('output' in seen).toBe(want !== undefined);
  });

  test.each<{ status: FakeJob['status']; isKnownReason: boolean }>([
    { status: 'running', isKnownReason: false },
    { status: 'waiting', isKnownReason: false },
    { status: 'successful', isKnownReason: false },
    { status: 'failed', isKnownReason: true },
    { status: 'error', isKnownReason: true },
    { status: 'canceled', isKnownReason: true },
  ])('is asked for when it is over and did not succeed: $status', async ({ status, isKnownReason }) => {
    const { ask, awx } = aWorld({ catalogue: [entry([])] });
    addJob(awx, { id: 1, status, stdout: said });
    await observeLaunched(ask(started('1')));
    expect(awx.asked.some(({ path }) => path.endsWith('/stdout/'))).toBe(isKnownReason);
    expect(awx.offences).toEqual([]);
  });
});

describe('after the end', () => {
  test.each<{ name: string; uid?: string; makesMark: boolean; want: string }>([
    { name: 'the recorded job', uid: '1', makesMark: false, want: 'value' },
    { name: 'a recorded job that is gone', uid: '2', makesMark: true, want: 'absent' },
    { name: 'the job with the mark', makesMark: true, want: 'value' },
    { name: 'no job to find', makesMark: false, want: 'absent' },
  ])('with $name, and all that was created for it, is read', async ({ uid, makesMark, want }) => {
    const { ask, awx, notes } = aWorld();
    const fence = awx.state.addCredential(ours('fence'));
    const mark = makesMark ? awx.state.addCredential(ours('mark')) : undefined;
    awx.state.types.set(900, { id: 900, name: ours('fence'), kind: 'cloud', inputs: {}, injectors: {} });
    addJob(awx, { id: 1, credentials: new Set(mark && [mark.id]) });
    notes.set(aPlaybook().metadata.uid, 'rest', { code: 'Forbidden', message: 'no' });
    notes.set(aPlaybook().metadata.uid, 'launch', { code: 'Forbidden', message: 'not this' });
    const seen = await observeAfterEnd(ask(started(uid)));
    expect(seen).toMatchObject({
      kind: 'remains',
      types: [{ id: 900 }],
      credentials: [{ id: fence.id }, ...(mark ? [{ id: mark.id }] : [])],
      job: { kind: want },
      trouble: { code: 'Forbidden', message: 'no' },
    });
  });

  test('where nothing went wrong no trouble is reported', async () => {
    expect(await observeAfterEnd(aWorld().ask(started()))).toEqual({
      kind: 'remains',
      types: [],
      credentials: [],
      job: { kind: 'absent' },
    });
  });
});
