import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Diagnosed, Simulated } from '../../actions/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { printable } from '../../base/index.ts';
import { diagnosedText } from './diagnosed-text.ts';
import { packagedWorkflows } from './packaged-workflows.ts';
import { simulatedText } from './simulated-text.ts';

const GATES = [
  { name: 'UnmanagedResource', state: 'open' },
  { name: 'ResourceBusy', state: 'open' },
  { name: 'Budget', state: 'ahead' },
] as const;

const TARGET = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'checkout' };

const DIAGNOSED: Diagnosed = {
  target: TARGET,
  would: 'AskForApproval',
  summary: 'revision 3 crashes',
  cause: {
    fault: 'CrashLoopAfterRollout',
    text: 'revision 3 crashes',
    target: TARGET,
    confidence: 0.9,
    evidence: ['two pods crash', 'since 03:00'],
  },
  classification: { environment: 'Production', severity: 'critical', priority: 'P0' },
  plan: {
    workflow: 'rollback-deployment',
    version: '1.0.0',
    text: 'rollback-deployment:1.0.0 on Deployment shop/checkout',
    parameters: { TARGET_RESOURCE_NAME: 'checkout', REVISION: '2' },
    confidence: 0.9,
    rationale: 'takes it back',
    warnings: [],
    approval: { required: true, reason: 'every change in Production needs approval' },
  },
  byHand: 'kubectl rollout undo -n shop deployment/checkout --to-revision=2',
  gates: GATES,
  catalogue: { source: 'package', workflows: 9, note: 'Sickbay is not installed' },
  unread: [],
};

const HANDED_OVER: Diagnosed = {
  target: TARGET,
  would: 'HandOver',
  summary: 'it crashes',
  handOver: { advice: 'look at it', known: ['exit code 1'], ruledOut: ['memory'], likely: [{ cause: 'a bug', check: 'kubectl logs' }] },
  classification: { environment: 'Unknown', severity: 'warning', priority: 'P3' },
  gates: [{ name: 'UnmanagedResource', state: 'closed', message: 'namespace shop is not managed: label it' }],
  catalogue: { source: 'cluster', workflows: 9 },
  unread: [],
};

describe('a diagnosis as text', () => {
  test('of a known cause: cause, evidence, plan, approval, and what to type instead', () => {
    expect(diagnosedText(DIAGNOSED, 'text').split('\n')).toEqual([
      'Deployment shop/checkout: the cause is known; Sickbay would ask a person to approve rollback-deployment.',
      '',
      'Cause        revision 3 crashes',
      'Confidence   0.90 (CrashLoopAfterRollout)',
      'Evidence     - two pods crash',
      '             - since 03:00',
      'Would run    rollback-deployment:1.0.0 on Deployment shop/checkout',
      '             REVISION=2',
      '             takes it back',
      'Approval     needed: every change in Production needs approval',
      'By hand      kubectl rollout undo -n shop deployment/checkout --to-revision=2',
      'Classified   environment Production, severity critical, priority P0',
      'Catalogue    Sickbay is not installed',
    ]);
  });

  test('of a hand-over: what is seen, ruled out, likely, and what to do', () => {
    expect(diagnosedText(HANDED_OVER, 'text').split('\n')).toEqual([
      'Deployment shop/checkout: Sickbay would change nothing, and hand it over to a person with what follows.',
      '',
      'Found        it crashes',
      'Seen         - exit code 1',
      'Ruled out    - memory',
      'Most likely  1. a bug. To tell: kubectl logs',
      'Next         look at it',
      'Classified   environment Unknown, severity warning, priority P3',
      'Alerts       about it are ignored: namespace shop is not managed: label it',
    ]);
  });

  test.each<{ reason: string; more: Partial<Diagnosed>; want: string }>([
    {
      reason: 'a target that is not managed',
      more: { gates: HANDED_OVER.gates },
      want: 'the cause is known; once it is managed, Sickbay would ask a person to approve rollback-deployment.',
    },
    {
      reason: 'a gate that is closed',
      more: { gates: [{ name: 'ResourceBusy', state: 'closed', message: 'we-1 runs' }] },
      want: 'when ResourceBusy no longer holds it up, Sickbay would ask',
    },
    { reason: 'no approval', more: { would: 'RunWorkflow' }, want: 'Sickbay would run rollback-deployment without approval.' },
    { reason: 'no fault', more: { would: 'Nothing' }, want: 'no fault is found; Sickbay would change nothing.' },
    {
      reason: 'something unread',
      more: { would: 'NotKnownYet', unread: ['pods'] },
      want: 'it cannot be judged, because something cannot be read.',
    },
    {
      reason: 'something that settles',
      more: { would: 'NotKnownYet', ifNothingChanges: { ...DIAGNOSED, within: '2 minutes' } },
      want: 'it may settle by itself, so Sickbay would check it again and again; if nothing changes within 2 minutes: the cause is known; Sickbay would ask',
    },
    {
      reason: 'another object',
      more: { named: { kind: 'Pod', name: 'c1' } },
      want: 'Pod c1 belongs to Deployment shop/checkout. Deployment shop/checkout: ',
    },
  ])('the first line tells of $reason', ({ more, want }) => {
    expect(diagnosedText({ ...DIAGNOSED, ...more }, 'text').split('\n')[0]).toContain(want);
  });

  test('of what may settle: its state now, then what follows if nothing changes', () => {
    const { would: _, cause: __, plan: ___, byHand: ____, ...rest } = DIAGNOSED;
    const settling: Diagnosed = {
      ...rest,
      would: 'NotKnownYet',
      summary: 'still being rolled out',
      ifNothingChanges: { ...DIAGNOSED, within: '2 minutes' },
    };
    const lines = diagnosedText(settling, 'text').split('\n');
    expect(lines[2]).toBe('Now          still being rolled out');
    expect(lines[3]).toBe('Cause        revision 3 crashes');
    expect(lines).toContain('Would run    rollback-deployment:1.0.0 on Deployment shop/checkout');
    const calm = diagnosedText(
      { ...settling, ifNothingChanges: { would: 'Nothing', summary: 'all pods ready', within: '2 minutes' } },
      'text',
    );
    expect(calm).toContain('within 2 minutes: no fault is found; Sickbay would change nothing.');
    expect(calm).not.toContain('Found');
  });

  test('gates that one missing right keeps from being judged are one item', () => {
    const gates = ['ResourceBusy', 'IneffectiveChain'].map((name) => ({ name, state: 'unknown' as const, message: 'forbidden' }));
    expect(diagnosedText({ ...DIAGNOSED, gates }, 'text')).toContain('\nNot known    - ResourceBusy, IneffectiveChain: forbidden\n');
  });

  test('what is written in objects can neither start a line of the report nor reach the terminal', () => {
    const text = 'log\nCause        all is well\u001b[2J\u202e';
    const printed = printable(diagnosedText({ ...HANDED_OVER, summary: text }, 'text'));
    expect(printed).toContain(String.raw`Found        log Cause all is well\u001b[2J\u202e`);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(printed).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test('lines are broken for a terminal, with what follows below its text', () => {
    expect(
      diagnosedText(HANDED_OVER, 'text', 50)
        .split('\n')
        .every((line) => line.length <= 50),
    ).toBe(true);
    const long = { ...HANDED_OVER, summary: 'one two three four five six seven eight nine ten eleven' };
    expect(diagnosedText(long, 'text', 50)).toContain('Found        one two three four five six seven\n             eight nine ten eleven');
  });

  test('JSON and YAML hold everything', () => {
    expect(JSON.parse(diagnosedText(DIAGNOSED, 'json'))).toEqual(DIAGNOSED);
    expect(parse(diagnosedText(DIAGNOSED, 'yaml'))).toEqual(DIAGNOSED);
  });
});

describe('a simulation as text', () => {
  const { catalogue, target, ...analysis } = DIAGNOSED;
  const simulated: Simulated = {
    catalogue,
    signals: [
      { name: 'KubePodCrashLooping', verdict: 'created', message: 'opens RemediationRequest rr-1', target, analysis },
      { name: 'B', verdict: 'duplicate', message: 'joined', about: target, remediation: { name: 'rr-2', exists: true } },
      { name: 'C', verdict: 'out-of-scope', message: 'not managed', about: { kind: 'Node', name: 'n1' } },
      { verdict: 'rejected', message: 'no alert' },
    ],
  };

  test('is a table, then each signal', () => {
    const lines = simulatedText(simulated, 'table').split('\n');
    expect(lines.slice(0, 5)).toEqual([
      '#   SIGNAL                TARGET                     VERDICT        CLASSIFICATION             WOULD',
      '1   KubePodCrashLooping   Deployment shop/checkout   created        Production, critical, P0   ask to approve rollback-deployment',
      '2   B                     Deployment shop/checkout   duplicate      -                          -',
      '3   C                     Node n1                    out-of-scope   -                          -',
      '4   -                     -                          rejected       -                          -',
    ]);
    const text = lines.join('\n');
    expect(text).toContain(
      '\n1. KubePodCrashLooping on Deployment shop/checkout: the cause is known; Sickbay would ask a person to approve',
    );
    expect(text).toContain('\nGates        pass: UnmanagedResource, ResourceBusy; checked later: Budget');
    expect(text).toContain('\n2. B on Deployment shop/checkout.\nVerdict      joined\nNext         sickbay explain rr-2');
    expect(text).toContain('\nNext         what is wrong with it all the same: sickbay diagnose node/n1');
    expect(text).toContain('\n4. a signal without a name.\n');
    expect(lines.at(-1)).toBe('Catalogue: Sickbay is not installed.');
  });

  test('a name of many lines stays in its cell', () => {
    const [first] = simulated.signals;
    const lines = simulatedText({ ...simulated, signals: [{ ...first!, name: 'a\nb' }] }, 'table').split('\n');
    expect(lines[1]).toMatch(/^1 {3}a b +Deployment/);
  });

  test('JSON and YAML hold everything', () => {
    expect(JSON.parse(simulatedText(simulated, 'json'))).toEqual(simulated);
    expect(parse(simulatedText(simulated, 'yaml'))).toEqual(simulated);
  });
});

test('the package brings its workflows, all of them for the namespace of the settings', async () => {
  const workflows = await packagedWorkflows({ ...DEFAULT_SETTINGS, namespace: 'ours' });
  expect(workflows.map(({ metadata }) => metadata.name)).toContain('rollback-deployment');
  expect(new Set(workflows.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['ours']));
});
