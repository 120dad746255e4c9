import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../../../api/workflow-execution/workflow-execution.ts';
import { silent } from '../../../../../base/index.ts';
import { fakeClient, refusal } from '../../../../../testkit/fake-client.ts';
import { AWX_TOKEN, FakeAwx } from '../../../../../testkit/awx/fake-awx.ts';
import { serveAwx, type AwxFault } from '../../../../../testkit/awx/serve-awx.ts';
import { ManualClock } from '../../../../../testkit/manual-clock.ts';
import type { Settings } from '../../../../settings.ts';
import { AwxApi, jobPath } from './awx-api.ts';
import { createAwxCalls } from '../perform-awx-step.ts';
import { AwxFailures } from '../awx-connection.ts';
import type { AwxStep } from '../awx-step.ts';
import { httpAwx, AWX_LIMITS, type AwxLimits } from './http-awx.ts';
import { readTemplate } from '../launch/read-template.ts';
import { aPlaybook, SETTINGS } from '../testing/awx-case.ts';
import { neededCredentials } from '../launch/needed-credentials.ts';

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZW5kZXIifQ.c2ln';
const PASSWORD = 'hunter2 with spaces\nand a line';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** An AWX on loopback and the way to it. */
async function open(limits: Partial<AwxLimits> = {}) {
  const awx = new FakeAwx();
  const server = await serveAwx(awx);
  const http = httpAwx({ ...AWX_LIMITS, ...limits });
  const api = new AwxApi(http.send, { apiURL: `${server.url}/`, token: AWX_TOKEN });
  return {
    awx,
    server,
    http,
    api,
    async [Symbol.asyncDispose]() {
      await http.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const failure = (action: Promise<unknown>): Promise<unknown> =>
  action.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('what AWX answers is told apart', () => {
  test.each<{ name: string; fault: AwxFault; code: string; says: RegExp }>([
    {
      name: '401',
      fault: { kind: 'answer', code: 401, body: '{"detail":"Invalid token."}' },
      code: 'Unauthorized',
      says: /GET \/api\/v2\/jobs\/1\/: AWX answered 401.*ansible.tokenSecretRef/,
    },
    {
      name: '403',
      fault: { kind: 'answer', code: 403, body: '{"detail":"no"}' },
      code: 'Forbidden',
      says: /403.*give the user of the token the right/,
    },
    {
      name: '404 from something else',
      fault: { kind: 'answer', code: 404, body: '<html>no such site</html>' },
      code: 'NotFound',
      says: /404 \(check that ansible.apiURL/,
    },
    { name: '409', fault: { kind: 'answer', code: 409, body: '{"error":"busy"}' }, code: 'Conflict', says: /409: \{"error":"busy"\}/ },
    { name: '429', fault: { kind: 'answer', code: 429, body: '' }, code: 'TooManyRequests', says: /429/ },
    { name: '500', fault: { kind: 'answer', code: 500, body: '<html>oops</html>' }, code: 'Unavailable', says: /AWX answered 500$/ },
    { name: 'a redirect', fault: { kind: 'answer', code: 302, body: '' }, code: 'Internal', says: /302.*login page/ },
    { name: 'garbage', fault: { kind: 'answer', code: 200, body: 'it works!' }, code: 'Internal', says: /is not JSON/ },
    { name: 'JSON of another kind', fault: { kind: 'answer', code: 200, body: '[]' }, code: 'Internal', says: /is no object/ },
    {
      name: 'too much',
      fault: { kind: 'answer', code: 200, body: 'x'.repeat(2_000) },
      code: 'Unavailable',
      says: /longer than 1000 bytes/,
    },
    { name: 'nothing', fault: { kind: 'silence' }, code: 'Unavailable', says: /no answer from http:\/\/127/ },
    { name: 'a broken connection', fault: { kind: 'lost reply' }, code: 'Unavailable', says: /no answer from/ },
  ])('$name', async ({ fault, code, says }) => {
    await using here = await open({ answerMs: 300, bytes: 1_000 });
    here.server.next(fault);
    expect(await failure(here.api.find(jobPath(1)))).toMatchObject({ code, message: expect.stringMatching(says) as string });
  });

  test('a 404 of AWX itself is an absence', async () => {
    await using here = await open();
    expect(await here.api.find(jobPath(1))).toBeUndefined();
  });

  test('no server listens', async () => {
    const here = await open();
    await here.server[Symbol.asyncDispose]();
    expect(await failure(here.api.find(jobPath(1)))).toMatchObject({ code: 'Unavailable' });
    await here.http.close();
  });

  test('a refusal does not repeat what was sent', async () => {
    await using here = await open();
    here.server.next({ kind: 'answer', code: 400, body: JSON.stringify({ inputs: [`bad value ${PASSWORD}`], name: ['x'] }) });
    expect(String(await failure(here.api.create('/api/v2/credentials/', {})))).toMatch(/AWX answered 400 about inputs, name$/);
  });

  test('pages are read to the last', async () => {
    await using here = await open();
    for (let i = 0; i < 450; i++) here.awx.state.addTemplate({ name: `t${i}` });
    expect(await here.api.list('/api/v2/job_templates/')).toHaveLength(450);
    expect(here.awx.offences).toEqual([]);
  });
});

describe('[WE-118] a template is found by its name, whatever is in it', () => {
  test.each(['mend', 'mend it / 100% & more?', 'a+b=c', 'ключ #1'])('%s', async (name) => {
    await using here = await open();
    const own = here.awx.state.addCredential('machine').id;
    const { id } = here.awx.state.addTemplate({ name, credentials: [own] });
    here.awx.state.addTemplate({ name: 'another' });
    expect(await readTemplate(here.api, name, 1)).toMatchObject({
      kind: 'value',
      value: { id, credentials: [own], asksVariables: true, asksCredentials: true },
    });
    expect(here.awx.offences).toEqual([]);
  });

  test('of several of a name, that of our organization', async () => {
    await using here = await open();
    here.awx.state.addTemplate({ name: 'mend', organization: 2 });
    const { id } = here.awx.state.addTemplate({ name: 'mend', organization: 1 });
    expect(await readTemplate(here.api, 'mend', 1)).toMatchObject({ value: { id } });
    expect(await readTemplate(here.api, 'mend', 3)).toEqual({ kind: 'several' });
    expect(await readTemplate(here.api, 'unknown', 1)).toEqual({ kind: 'absent' });
  });
});

/** A handler of steps, with a cluster that has a Secret and gives tokens. */
function handlerFor({ server, http }: Awaited<ReturnType<typeof open>>, hasCluster = true) {
  const settings: Settings = { ...SETTINGS, ansible: { ...SETTINGS.ansible, apiURL: server.url } };
  const { client, calls } = fakeClient(({ target, verb }) => {
    if (verb === 'subresource') return { status: { token: TOKEN, expirationTimestamp: '2026-11-15T05:00:00Z' } };
    if (target.endsWith('/awx-token')) return { data: { token: base64(`${AWX_TOKEN}\n`) } };
    if (target.endsWith('/db')) return { data: { password: base64(PASSWORD), binary: Buffer.from([0xff, 0x00]).toString('base64') } };
    throw refusal(404, 'NotFound');
  });
  const notes = new AwxFailures();
  const door = { send: http.send, notes, ...(hasCluster && { cluster: { host: 'https://10.0.0.1:443', ca: 'CERTIFICATE' } }) };
  const handler = createAwxCalls({ door, client, settings: () => settings, clock: new ManualClock(), log: silent });
  const run = (step: AwxStep, execution: WorkflowExecution = aPlaybook()) =>
    handler({ key: 'k', input: step, subject: execution }, new AbortController().signal);
  return { run, calls, notes };
}

describe('the steps in AWX', () => {
  const secrets = [{ name: 'db', keys: ['password'] }];
  const wanted = neededCredentials(aPlaybook(), { secrets, account: 'mender' });

  async function prepared() {
    const here = await open();
    const own = here.awx.state.addCredential('machine').id;
    const template = here.awx.state.addTemplate({ name: 'mend', credentials: [own] });
    const steps = handlerFor(here);
    const ids: number[] = [];
    for (const one of wanted) {
      await steps.run({ do: 'create type', wanted: one });
      const type = [...here.awx.state.types.values()].find(({ name }) => name === one.name)?.id ?? 0;
      await steps.run({ do: 'create credential', wanted: one, type });
      ids.push([...here.awx.state.credentials.values()].find(({ name }) => name === one.name)?.id ?? 0);
    }
    return { here, own, template, steps, ids };
  }

  test('[WE-128] [WE-129] [WE-198] [WE-199] [WE-200] [WE-201] give the playbook its Secrets and its access as variables of its environment, and nowhere else', async () => {
    const { here, own, template, steps, ids } = await prepared();
    await using _ = here;
    await steps.run({ do: 'launch', template: template.id, extraVars: { REPLICAS: 3 }, credentials: [own, ...ids] });
    const [job] = here.awx.state.jobs.values();
    expect(job?.environment).toEqual({
      KUBERNAUT_SECRET_DB_PASSWORD: PASSWORD,
      K8S_AUTH_HOST: 'https://10.0.0.1:443',
      K8S_AUTH_API_KEY: TOKEN,
      K8S_AUTH_SSL_CA_CERT: 'CERTIFICATE',
      K8S_AUTH_VERIFY_SSL: 'True',
    });
    expect(job?.extra_vars).toEqual({ REPLICAS: 3 });
    expect(JSON.stringify(here.awx.asked.filter(({ path }) => path !== '/api/v2/credentials/'))).not.toMatch(/hunter2|eyJ|aHVudGVy/);
    expect(here.awx.offences).toEqual([]);
    expect(steps.notes.of('wfe-1', 'launch')).toBeUndefined();
  });

  test('the token is one of the workflow’s own account, and never ours', async () => {
    const { here, steps } = await prepared();
    await using _ = here;
    expect(steps.calls.filter(({ verb }) => verb === 'subresource')).toMatchObject([
      { target: 'serviceaccounts kubernaut-workflows/mender', body: { name: 'token', body: { spec: { expirationSeconds: 3_600 } } } },
    ]);
  });

  test('a second time changes nothing', async () => {
    const { here, steps, ids } = await prepared();
    await using _ = here;
    const [types, credentials] = [here.awx.state.types.size, here.awx.state.credentials.size];
    for (const one of wanted) {
      await steps.run({ do: 'create type', wanted: one });
      const type = [...here.awx.state.types.values()].find(({ name }) => name === one.name)?.id ?? 0;
      await steps.run({ do: 'create credential', wanted: one, type });
    }
    expect([here.awx.state.types.size, here.awx.state.credentials.size]).toEqual([types, credentials]);
    expect(steps.notes.of('wfe-1', 'rest')).toBeUndefined();
    for (const id of [...ids, ...ids]) await steps.run({ do: 'delete credential', id });
    expect([...here.awx.state.credentials.values()].map(({ name }) => name)).toEqual(['machine']);
    expect(steps.notes.of('wfe-1', 'rest')).toBeUndefined();
  });

  test('[WE-150] two executions have each their own credential for one Secret', () => {
    const other = { ...aPlaybook(), metadata: { ...aPlaybook().metadata, uid: 'wfe-2' } };
    const names = neededCredentials(other, { secrets, account: 'mender' }).map(({ name }) => name);
    expect(names.filter((name) => wanted.some((one) => one.name === name))).toEqual([]);
  });

  test('a launch is refused once the fence is gone', async () => {
    const { here, own, template, steps, ids } = await prepared();
    await using _ = here;
    await steps.run({ do: 'delete credential', id: ids[1] ?? 0 });
    await steps.run({ do: 'launch', template: template.id, extraVars: {}, credentials: [own, ...ids] });
    expect(here.awx.state.jobs.size).toBe(0);
    expect(steps.notes.of('wfe-1', 'launch')).toMatchObject({
      code: 'Invalid',
      message: expect.stringContaining('does not exist') as string,
    });
  });

  test('a job that AWX launched without what we gave is stopped', async () => {
    const { here, template, steps, ids } = await prepared();
    await using _ = here;
    here.awx.state.addTemplate({ ...template, ask_credential_on_launch: false });
    await steps.run({ do: 'launch', template: template.id, extraVars: {}, credentials: ids });
    expect([...here.awx.state.jobs.values()].map(({ status }) => status)).toEqual(['canceled']);
    expect(steps.notes.of('wfe-1', 'launch')?.code).toBe('Terminal');
  });

  test('stopping what has ended, or is gone, is no failure', async () => {
    const { here, own, template, steps, ids } = await prepared();
    await using _ = here;
    await steps.run({ do: 'launch', template: template.id, extraVars: {}, credentials: [own, ...ids] });
    const [job] = here.awx.state.jobs.keys();
    for (const id of [job ?? 0, job ?? 0, 999]) await steps.run({ do: 'cancel', job: id });
    expect(here.awx.asked.filter(({ path }) => path.endsWith('/cancel/')).map(({ code }) => code)).toEqual([202, 405, 404]);
    expect(steps.notes.of('wfe-1', 'rest')).toBeUndefined();
  });

  test('what cannot be a variable is not handed over', async () => {
    await using here = await open();
    const steps = handlerFor(here);
    const [, , binary] = neededCredentials(aPlaybook(), { secrets: [{ name: 'db', keys: ['binary'] }], account: undefined });
    if (binary) await steps.run({ do: 'create credential', wanted: binary, type: 1 });
    expect(steps.notes.of('wfe-1', 'rest')).toMatchObject({ code: 'Invalid', message: expect.stringContaining('is not text') as string });
    expect(here.awx.asked).toEqual([]);
  });
});
