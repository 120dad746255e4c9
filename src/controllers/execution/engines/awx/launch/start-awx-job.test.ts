import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../../../api/workflow-execution/workflow-execution.ts';
import { after, SECOND, toTime } from '../../../../../base/index.ts';
import { ABSENT, aRequest, found, NOW, TIMES_OUT_AT, UNREADABLE } from '../../../testing/builders.ts';
import { startAwxJob } from './start-awx-job.ts';
import type { AwxStart, ObservedAwx } from '../observed-awx.ts';
import { aCase, aPlaybook, aStart, aTemplate, made, SETTINGS, stepsIn } from '../testing/awx-case.ts';

type Status = NonNullable<WorkflowExecution['status']>;

const begin = (awx: ObservedAwx, object = aPlaybook()) => {
  const decision = startAwxJob(aCase(awx, object), NOW, object.spec);
  return { ...decision, status: decision.status as Status, steps: stepsIn(decision.effects) };
};

const ready = ({ conditions = [] }: Status) => conditions.find(({ type }) => type === 'Ready');

describe('nothing is made in AWX', () => {
  const secret = (name: string, read: AwxStart['secrets'][number]['read']) => ({ name, read });
  test.each<{ name: string; awx: AwxStart; says: RegExp; object?: WorkflowExecution }>([
    {
      name: '[WE-119] for a template that is not there',
      awx: aStart({ template: ABSENT }),
      says: /no job template "mend" \(engineConfig.jobTemplateName\)/,
    },
    { name: 'for a name that several templates have', awx: aStart({ template: { kind: 'several' } }), says: /ansible.organizationID/ },
    {
      name: 'for a template that would drop the variables',
      awx: aStart({ template: found(aTemplate({ asksVariables: false })) }),
      says: /prompt for variables on launch/,
    },
    {
      name: 'for one that would drop the credentials',
      awx: aStart({ template: found(aTemplate({ asksCredentials: false })) }),
      says: /prompt for credentials on launch/,
    },
    { name: 'for one without inventory', awx: aStart({ template: found(aTemplate({ needsInventory: true })) }), says: /no inventory/ },
    {
      name: 'for one that asks for a password',
      awx: aStart({ template: found(aTemplate({ passwordsNeeded: ['ssh_password'] })) }),
      says: /ssh_password/,
    },
    {
      name: 'for a template that needs more than it is given',
      awx: aStart({ template: found(aTemplate({ variablesNeeded: ['REPLICAS', 'REGION'] })) }),
      says: /needs REGION,/,
    },
    { name: 'without a Secret', awx: aStart({ secrets: [secret('db', ABSENT)] }), says: /Secret db/ },
    { name: 'without a ConfigMap', awx: aStart({ configMaps: [{ name: 'cfg', read: ABSENT }] }), says: /ConfigMap cfg/ },
    {
      name: 'without the account',
      awx: aStart({ account: { name: 'mender', isNamed: true, read: ABSENT } }),
      says: /ServiceAccount mender/,
    },
    {
      name: 'for entries of Secrets whose variables have one name',
      awx: aStart({ secrets: [secret('db', found(['a-b', 'a.b']))] }),
      says: /KUBERNAUT_SECRET_DB_A_B would come from more than one/,
    },
    {
      name: 'for entries of ConfigMaps whose variables have one name',
      awx: aStart({
        configMaps: [
          { name: 'a-b', read: found({ c: '' }) },
          { name: 'a', read: found({ 'b-c': '' }) },
        ],
      }),
      says: /KUBERNAUT_CONFIGMAP_A_B_C/,
    },
    {
      name: 'for a parameter that stands in for a context variable',
      awx: aStart(),
      object: aPlaybook({ spec: { parameters: { WFE_NAME: 'x' } } }),
      says: /WFE_NAME/,
    },
    {
      name: 'when a type was changed under us',
      awx: aStart({ types: made().types.map((type) => ({ ...type, fields: { injectors: { extra_vars: {} } } })) }),
      says: /was changed meanwhile/,
    },
  ])('$name', ({ awx, says, object }) => {
    const { status, steps } = begin(awx, object);
    expect(steps).toEqual([]);
    expect(status).toMatchObject({
      phase: 'Failed',
      failureReason: 'ConfigurationError',
      failureDetails: { message: expect.stringMatching(says) as string, wasExecutionFailure: false },
    });
  });

  test('where there is no AWX', () => {
    const decision = startAwxJob(
      { ...aCase(aStart()), settings: { ...SETTINGS, ansible: { ...SETTINGS.ansible, apiURL: undefined } as never } },
      NOW,
      aPlaybook().spec,
    );
    expect(decision.status).toMatchObject({
      phase: 'Failed',
      failureDetails: { message: expect.stringContaining('ansible.apiURL') as string },
    });
  });
});

describe('it waits, and says why', () => {
  test.each<{ name: string; awx: ObservedAwx; says: string }>([
    { name: 'AWX does not answer', awx: { kind: 'unreadable', reason: 'GET /api/v2/jobs/: AWX answered 401' }, says: 'AWX answered 401' },
    { name: 'a Secret cannot be read', awx: aStart({ secrets: [{ name: 'db', read: UNREADABLE }] }), says: 'db cannot be read: forbidden' },
    {
      name: 'the account cannot be read',
      awx: aStart({ account: { name: 'mender', isNamed: true, read: UNREADABLE } }),
      says: 'mender cannot be read',
    },
    {
      name: 'a ConfigMap cannot be read',
      awx: aStart({ configMaps: [{ name: 'limits', read: UNREADABLE }] }),
      says: 'limits cannot be read: forbidden',
    },
    { name: 'the template cannot be read', awx: aStart({ template: UNREADABLE }), says: 'the job template cannot be read: forbidden' },
    {
      name: 'AWX was read for another purpose',
      awx: { kind: 'remains', types: [], credentials: [], job: ABSENT },
      says: 'it was not read in this pass',
    },
  ])('$name', ({ awx, says }) => {
    const { status, steps, wakeAt } = begin(awx);
    expect(steps).toEqual([]);
    expect(status.phase).toBe('Pending');
    expect(ready(status)).toMatchObject({ reason: 'WaitingForAWX', message: expect.stringContaining(says) as string });
    expect(wakeAt).toBe(after(NOW, 10 * SECOND));
  });

  test('what AWX did not do is asked for again, with its reason shown', () => {
    const { status, steps, wakeAt } = begin(aStart({ trouble: { code: 'Unavailable', message: 'no answer' } }));
    expect(wakeAt).toBe(after(NOW, 10 * SECOND));
    expect(steps.length).toBeGreaterThan(0);
    expect(ready(status)).toMatchObject({ reason: 'WaitingForAWX', message: 'no answer' });
  });
});

test.each([
  ['Invalid', 'ConfigurationError'],
  ['Forbidden', 'Forbidden'],
] as const)('what AWX refuses for good (%s) ends it before anything ran', (code, failureReason) =>
  expect(begin(aStart({ trouble: { code, message: 'no' } })).status).toMatchObject({
    phase: 'Failed',
    failureReason,
    failureDetails: { message: 'no', wasExecutionFailure: false },
  }),
);

describe('step by step', () => {
  test('the finalizer comes before the first thing in AWX', () => {
    const { effects, steps, status } = begin(aStart(), aPlaybook({ isTouched: false }));
    expect(ready(status)).toMatchObject({ reason: 'Pending' });
    expect(effects).toMatchObject([{ kind: 'Patch', operations: [{ path: '/metadata/finalizers', value: ['kubernaut.ai/awx-cleanup'] }] }]);
    expect(steps).toEqual([]);
  });

  const secrets = [{ name: 'db', read: found(['password']) }];
  const all = made(aPlaybook(), [{ name: 'db', keys: ['password'] }]);

  test('[WE-149] then a type for each credential, one for each Secret among them', () => {
    const { steps, status, wakeAt } = begin(aStart({ secrets }));
    expect(wakeAt).toBe(after(NOW, SECOND));
    expect(steps.map((step) => [step.do, 'wanted' in step && step.wanted.name])).toEqual(
      ['mark', 'fence', 'secret-db', 'k8s'].map((what) => ['create type', `kubernaut-ephemeral-${what}-we-rr-1-wfe-1`]),
    );
    expect(status.phase).toBe('Pending');
  });

  test('what is there is not made again', () => {
    const { steps } = begin(aStart({ secrets, types: all.types.slice(0, 3) }));
    expect(steps).toMatchObject([{ do: 'create type', wanted: { name: expect.stringContaining('-k8s-') as string } }]);
  });

  test('then the credentials, each of its own type', () => {
    const { steps } = begin(aStart({ secrets, types: all.types, credentials: all.credentials.slice(0, 1) }));
    expect(steps).toMatchObject([
      { do: 'create credential', type: 21 },
      { do: 'create credential', type: 22 },
      { do: 'create credential', type: 23 },
    ]);
  });

  test('[WE-132] without an address of the cluster there is no token, and all the rest', () => {
    const { account: _, ...start } = aStart();
    expect(begin(start).steps.map((step) => 'wanted' in step && step.wanted.source.kind)).toEqual(['Nothing', 'Nothing']);
    expect(begin(aStart({ account: { name: 'common', isNamed: false, read: ABSENT } })).steps).toHaveLength(2);
  });
});

describe('the launch', () => {
  const all = made();
  const launched = () => begin(aStart({ ...all, template: found(aTemplate({ credentials: [5, 41, 6] })) }));

  test('[WE-133] [WE-134] [WE-135] [WE-136] carries the variables and all credentials, those of the template first, each once', () =>
    expect(launched().steps).toEqual([
      {
        do: 'launch',
        template: 7,
        credentials: [5, 41, 6, 40, 42],
        extraVars: expect.objectContaining({ REPLICAS: 3, WFE_NAME: 'we-rr-1' }) as object,
      },
    ]));

  test('[WE-148] is recorded in status before, with the credentials that are ours and no others', () =>
    expect(launched().status).toMatchObject({
      phase: 'Running',
      startTime: toTime(NOW),
      ephemeralCredentialIDs: [40, 41, 42],
      executionRef: { kind: 'AWXJob', requestedAt: toTime(NOW) },
    }));

  test('is reported in an Event and conditions, and is checked soon', () => {
    const { status, effects, wakeAt } = launched();
    const message = 'job template 7 of AWX is being launched';
    expect(status).toMatchObject({
      executionEngine: 'ansible',
      executionStatus: { status: 'Launching', completedTasks: 0, totalTasks: 1 },
      conditions: [
        { type: 'Ready', status: 'False', reason: 'Running', message: 'the run is in progress' },
        { type: 'ExecutionCreated', status: 'True', reason: 'ExecutionCreated', message },
      ],
    });
    expect(effects).toEqual([
      expect.objectContaining({ kind: 'Call' }),
      { kind: 'Event', type: 'Normal', reason: 'ExecutionCreated', message },
    ]);
    expect(wakeAt).toBe(after(NOW, SECOND));
  });

  test('carries the entries of ConfigMaps as variables', () => {
    const configMaps = [{ name: 'limits', read: found({ MAX: '3' }) }];
    expect(begin(aStart({ ...all, configMaps })).steps).toMatchObject([
      { do: 'launch', extraVars: { KUBERNAUT_CONFIGMAP_LIMITS_MAX: '3' } },
    ]);
  });

  test('has no id in status yet', () => expect(launched().status.executionRef).not.toHaveProperty('uid'));

  test('does not happen when its request was cancelled', () => {
    const object = aPlaybook();
    const decision = startAwxJob(
      { ...aCase(aStart(all), object), request: found(aRequest({ overallPhase: 'Cancelled' })) },
      NOW,
      object.spec,
    );
    expect(stepsIn(decision.effects)).toEqual([]);
    expect(decision.status).toMatchObject({ phase: 'Failed', failureDetails: { wasExecutionFailure: false } });
  });

  test('waits while that cannot be read', () => {
    const decision = startAwxJob({ ...aCase(aStart(all)), request: UNREADABLE }, NOW, aPlaybook().spec);
    expect(stepsIn(decision.effects)).toEqual([]);
    expect(decision.status).toMatchObject({
      phase: 'Pending',
      conditions: [{ type: 'Ready', reason: 'WaitingForTarget', message: expect.stringContaining('forbidden') as string }],
    });
  });

  test('a token that expires too soon is reported', () => {
    const credentials = all.credentials.map((one) => ({
      ...one,
      fields: { description: `token until ${toTime(after(TIMES_OUT_AT, -SECOND))}` },
    }));
    const short = begin(aStart({ ...all, credentials }));
    const message = expect.stringContaining(`expires at ${toTime(after(TIMES_OUT_AT, -SECOND))}, before the deadline of the job`) as string;
    expect(short.status.conditions).toContainEqual(expect.objectContaining({ type: 'TokenTTLInsufficient', status: 'True', message }));
    expect(short.effects).toContainEqual({ kind: 'Event', type: 'Warning', reason: 'TokenTTLShortened', message });
    expect(launched().status.conditions?.map(({ type }) => type)).not.toContain('TokenTTLInsufficient');
    expect(launched().effects.map((effect) => 'reason' in effect && effect.reason)).not.toContain('TokenTTLShortened');
  });

  test.each<{ name: string; description: unknown; timesOutAt?: string | undefined }>([
    { name: 'one that ends with the job', description: `token until ${toTime(TIMES_OUT_AT)}` },
    { name: 'a credential with another description', description: 'by hand' },
    { name: 'a credential without one', description: undefined },
    { name: 'a note with more in it', description: `a token until ${toTime(NOW)}` },
    { name: 'a note with more text after it', description: `token until ${toTime(NOW)} or so` },
    { name: 'a token for a job without an end', description: `token until ${toTime(NOW)}`, timesOutAt: undefined },
  ])('nothing is reported for $name', ({ description, ...change }) => {
    const credentials = all.credentials.map((one) => ({ ...one, fields: { description } }));
    const object = aPlaybook({ spec: change as Partial<WorkflowExecution['spec']> });
    const { status } = begin(aStart({ ...all, credentials }), object);
    expect(status.phase).toBe('Running');
    expect(status.conditions?.map(({ type }) => type)).not.toContain('TokenTTLInsufficient');
  });

  test('of several credentials the one with a note is asked', () => {
    const credentials = all.credentials.map((one, i) => ({ ...one, fields: { description: i === 1 ? `token until ${toTime(NOW)}` : '' } }));
    expect(begin(aStart({ ...all, credentials })).status.conditions?.map(({ type }) => type)).toContain('TokenTTLInsufficient');
  });
});
