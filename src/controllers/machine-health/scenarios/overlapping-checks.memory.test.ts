import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PipelineRemediationTemplate } from '../../../api/pipeline-remediation/pipeline-remediation-template.ts';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { HealthStage, inShop, PIPELINE } from '../testing/health-stage.ts';

let the: HealthStage;
beforeEach(async () => {
  the = await HealthStage.start();
});
afterEach(async () => {
  expect(the.stage.troubles).toEqual([]);
  await the.stage.end();
});

test('[MH-006] two checks over two groups go by lists of their own', async () => {
  await the.fleet(1, { zone: 'a' }, 'a-');
  await the.fleet(1, { zone: 'b' }, 'b-');
  const listing = (status: string) => ({ unhealthyNodeConditions: [{ type: 'Ready', status, timeoutSeconds: 300 }] });
  await the.check({ selector: { matchLabels: { zone: 'a' } }, checks: listing('Unknown') }, 'a');
  await the.check({ selector: { matchLabels: { zone: 'b' } }, checks: listing('False') }, 'b');
  for (const name of ['a-0', 'b-0']) await the.turn(name, 'Unknown');
  await the.stage.advance(6 * MINUTE);
  expect(await the.says('a-0')).toMatchObject({ HealthCheckSucceeded: 'False UnhealthyNode' });
  expect(await the.says('b-0')).toEqual({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
});

test('a Machine that fails while it is being deleted reports that, and no remediation is requested', async () => {
  await the.fleet(2);
  await the.check();
  await the.patch(Machine, 'worker-0', { metadata: { finalizers: ['example.com/hold'] } });
  await the.stage.admin.delete(Machine, inShop('worker-0'));
  await the.turn('worker-0', 'Unknown');
  await the.stage.advance(6 * MINUTE);
  expect(await the.says('worker-0')).toEqual({ HealthCheckSucceeded: 'False UnhealthyNode' });
  expect(the.stage.told).toContain('MachineMarkedUnhealthy');
  expect(await the.asked()).toEqual([]);
});

describe.each([
  { mode: 'by its owner', spec: {} },
  { mode: 'by request', spec: { remediation: { templateRef: PIPELINE } } },
])('[MH-032] what is to be remediated $mode', ({ spec }) => {
  test('is neither drained, nor switched off, nor deleted by the check', async () => {
    await the.templates();
    await the.fleet(2);
    await the.check(spec);
    const writes: string[] = [];
    the.stage.intercept = ({ method, path }) => void (method === 'GET' || writes.push(`${method} ${path}`));
    await the.turn('worker-0', 'Unknown');
    await the.stage.advance(10 * MINUTE);
    await the.removeNode('worker-1');
    await the.stage.advance(10 * MINUTE);
    expect(await the.asked()).toEqual(['worker-0', 'worker-1']);
    await the.turn('worker-0', 'True');
    await the.stage.advance(5 * SECOND);
    expect(writes).not.toEqual([]);
    const isMarkOrRequest = (write: string): boolean =>
      /^PATCH .*\/(machines|machinehealthchecks)\/[\w-]+\/status$/.test(write) || /^(POST|DELETE) .*\/pipelineremediations/.test(write);
    expect(writes.filter((write) => !isMarkOrRequest(write))).toEqual([]);
  });
});

test('[MH-096] a request does not outlive its Machine', async () => {
  await the.templates();
  await the.fleet(1);
  await the.check({ remediation: { templateRef: PIPELINE } });
  await the.turn('worker-0', 'Unknown');
  await the.stage.advance(6 * MINUTE);
  expect(await the.request('worker-0', PipelineRemediation)).toBeDefined();
  await the.stage.admin.delete(Machine, inShop('worker-0'));
  await the.stage.advance(MINUTE);
  expect(await the.request('worker-0', PipelineRemediation)).toBeUndefined();
});

test('two checks over the same Machines: no remediation is requested while the gate of one is closed, even if a Node event closed it just now', async () => {
  await the.templates();
  await the.fleet(5);
  await the.check({ remediation: { templateRef: PIPELINE } }, 'lax');
  await the.check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 2 }, templateRef: PIPELINE } }, 'strict');
  await the.stage.advance(30 * SECOND);
  await the.turn('worker-0', 'Unknown');
  await the.stage.advance(5 * MINUTE - 2 * SECOND);
  for (const name of ['worker-1', 'worker-2', 'worker-3', 'worker-4']) {
    await the.turn(name, 'Unknown');
    await the.stage.advance(SECOND / 10);
  }
  await the.stage.advance(4 * SECOND);
  expect(await the.asked()).toEqual([]);
  expect(await the.gate('strict')).toContain('False TooManyUnhealthy');
});

test.each([
  { mode: 'by its owner', spec: {} },
  { mode: 'by request', spec: { remediation: { templateRef: PIPELINE } } },
])('a late Machine no longer reports a failure, $mode, once no check limits its startup time', async ({ spec }) => {
  await the.templates();
  const metadata = { ...inShop('slow'), labels: { role: 'worker' } };
  await the.stage.admin.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata,
    spec: { clusterName: 'here' },
  });
  await the.check({ ...spec, checks: { nodeStartupTimeoutSeconds: 600 } });
  await the.stage.advance(11 * MINUTE);
  expect(await the.asked()).toEqual(['slow']);
  await the.patch(MachineHealthCheck, 'example', { spec: { checks: { nodeStartupTimeoutSeconds: 0 } } });
  await the.stage.advance(MINUTE);
  const says = await the.says('slow');
  expect([says.HealthCheckSucceeded, says.OwnerRemediated]).toEqual([undefined, undefined]);
});

describe('the annotation that asks for remediation', () => {
  const annotated = async (): Promise<void> => {
    await the.fleet(1);
    await the.check();
    await the.annotate(Machine, 'worker-0', { [ANNOTATIONS.remediateMachine]: '' });
    await the.stage.advance(MINUTE);
  };
  const HANDED_OUT = { HealthCheckSucceeded: 'False HasRemediateAnnotation', OwnerRemediated: 'False WaitingForRemediation' };

  test('leads to a request where the operator enables it', async () => {
    the.settings.allowRemediateAnnotation = true;
    await annotated();
    expect(await the.says('worker-0')).toMatchObject(HANDED_OUT);
  });

  test('leads to a request too where the operator enables it later, as the Event advised', async () => {
    await annotated();
    expect(the.stage.told).toContain('RemediateAnnotationIgnored');
    expect(await the.says('worker-0')).toEqual({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
    the.settings.allowRemediateAnnotation = true;
    await the.stage.advance(2 * MINUTE);
    expect(await the.says('worker-0')).toMatchObject(HANDED_OUT);
  });

  test('lets the Machine be healthy again where the operator disables it later', async () => {
    the.settings.allowRemediateAnnotation = true;
    await annotated();
    the.settings.allowRemediateAnnotation = false;
    await the.stage.advance(2 * MINUTE);
    expect(await the.says('worker-0')).toMatchObject({ HealthCheckSucceeded: 'True HealthCheckSucceeded' });
  });
});

describe('a template that a check names', () => {
  const says = async (): Promise<string> => {
    const found = (await the.statusOf()).conditions?.find(({ type }) => type === 'TemplateAvailable');
    return found ? `${found.status} ${found.reason}: ${found.message}` : 'nothing';
  };
  const naming = (templateRef: object) => ({ remediation: { templateRef } });
  const LOST = { ...PIPELINE, name: 'lost' };
  const UNDEFINED = { ...PIPELINE, apiVersion: 'nobody.defined.it/v1' };
  const IS_THERE = 'True TemplateAvailable: ';
  const IS_NOT = 'False TemplateNotFound: spec.remediation.templateRef: ';

  test.each([
    { what: 'is there', templateRef: PIPELINE, want: IS_THERE },
    { what: 'is not there', templateRef: LOST, want: `${IS_NOT}PipelineRemediationTemplate shop/lost does not exist` },
    {
      what: 'is of a kind that is not defined',
      templateRef: UNDEFINED,
      want: 'False TemplateKindNotFound: spec.remediation.templateRef: the kind PipelineRemediationTemplate (nobody.defined.it/v1) is not defined',
    },
  ])('$what: the check says so before a Machine fails, and when one does', async ({ templateRef, want }) => {
    await the.templates();
    await the.fleet(2);
    await the.check(naming(templateRef));
    await the.stage.advance(SECOND);
    expect(await says()).toContain(want);
    await the.turn('worker-0', 'Unknown');
    await the.stage.advance(6 * MINUTE);
    expect(await says()).toContain(want);
    expect(await the.gate()).toBe('True RemediationAllowed: ');
  });

  test('was mistyped: the check reports when it is corrected, and when it is wrong again', async () => {
    await the.templates();
    await the.fleet(1);
    await the.check(naming(LOST));
    await the.stage.advance(SECOND);
    for (const [templateRef, want] of [
      [PIPELINE, IS_THERE],
      [LOST, IS_NOT],
    ] as const) {
      await the.patch(MachineHealthCheck, 'example', { spec: naming(templateRef) });
      await the.stage.advance(2 * SECOND);
      expect(await says()).toContain(want);
    }
    await the.patch(MachineHealthCheck, 'example', { spec: { remediation: null } });
    await the.stage.advance(2 * SECOND);
    expect(await says()).toBe('nothing');
  });

  test('comes and goes: the check says so, soon when it comes', async () => {
    await the.fleet(1);
    await the.check(naming(PIPELINE));
    await the.stage.advance(SECOND);
    expect(await says()).toContain(IS_NOT);
    await the.templates();
    await the.stage.advance(MINUTE);
    expect(await says()).toBe(IS_THERE);
    await the.stage.admin.delete(PipelineRemediationTemplate, inShop('pipe'));
    await the.stage.advance(11 * MINUTE);
    expect(await says()).toContain(IS_NOT);
  });

  test('is not looked for at every pass', async () => {
    await the.templates();
    await the.fleet(5);
    await the.check(naming(PIPELINE));
    await the.stage.advance(MINUTE);
    let looks = 0;
    the.stage.intercept = ({ path }) => void (path.includes('/pipelineremediationtemplates/') && looks++);
    for (let i = 0; i < 20; i++) {
      await the.turn(`worker-${i % 5}`, i < 10 ? 'Unknown' : 'True');
      await the.stage.advance(5 * SECOND);
    }
    expect(looks).toBe(0);
    expect(await says()).toBe(IS_THERE);
  });
});
