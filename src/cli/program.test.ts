import { CommanderError, type Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram, type Actions } from './program.ts';

/** Parses words as the shell hands them over, and says what came of it. */
async function parse(...words: readonly string[]): Promise<{ did: readonly unknown[]; said: string; code: number }> {
  const did: unknown[] = [];
  const said: string[] = [];
  const note =
    (name: keyof Actions) =>
    (...asked: readonly unknown[]) => {
      did.push([name, ...asked]);
      return Promise.resolve();
    };
  const program = createProgram('1.2.3', {
    up: note('up'),
    break: note('break'),
    heal: note('heal'),
    run: note('run'),
    diagnose: note('diagnose'),
    simulate: note('simulate'),
    explain: note('explain'),
    approve: note('approve'),
    clearBlock: note('clearBlock'),
    overrideFreeze: note('overrideFreeze'),
    reject: note('reject'),
    configCheck: note('configCheck'),
    auditVerify: note('auditVerify'),
    auditExport: note('auditExport'),
    auditShow: note('auditShow'),
    auditCheckpoint: note('auditCheckpoint'),
    auditAdopt: note('auditAdopt'),
    notificationsRoute: note('notificationsRoute'),
    configDefaults: () => void note('configDefaults')(),
    version: (flags) => void note('version')(flags),
  });
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) quieten(command, said);
  try {
    await program.parseAsync(words, { from: 'user' });
    return { did, said: said.join(''), code: 0 };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { did, said: said.join(''), code: error.exitCode };
  }
}

const quieten = (command: Command, said: string[]): Command =>
  command.exitOverride().configureOutput({ writeOut: (text) => void said.push(text), writeErr: (text) => void said.push(text) });

describe('the command line', () => {
  test.each<{ words: readonly string[]; want: readonly unknown[] }>([
    { words: [], want: ['up', {}] },
    { words: ['up'], want: ['up', {}] },
    { words: ['--demo', '--exit'], want: ['up', { demo: true, exit: true }] },
    { words: ['--demo', 'bad-image', '--exit'], want: ['up', { demo: 'bad-image', exit: true }] },
    { words: ['--empty'], want: ['up', { empty: true }] },
    { words: ['break'], want: ['break', undefined, undefined, { output: 'text' }] },
    { words: ['break', 'crash-loop', 'payments/payments'], want: ['break', 'crash-loop', 'payments/payments', { output: 'text' }] },
    { words: ['heal', '-o', 'json'], want: ['heal', undefined, { output: 'json' }] },
    { words: ['up', '--state', 'dir', '--port', '65535'], want: ['up', { port: 65_535, state: 'dir' }] },
    { words: ['--listen', '127.0.0.1:6443'], want: ['up', { listen: { host: '127.0.0.1', port: 6443 } }] },
    { words: ['run', '--listen', '0.0.0.0:8080'], want: ['run', { listen: { host: '0.0.0.0', port: 8080 } }] },
    {
      words: ['up', '--listen', '[::]:0', '--tls-cert', 'c', '--tls-key', 'k'],
      want: ['up', { listen: { host: '::', port: 0 }, tlsCert: 'c', tlsKey: 'k' }],
    },
    { words: ['--log-level', 'silent'], want: ['up', { logLevel: 'silent' }] },
    { words: ['run'], want: ['run', {}] },
    { words: ['version'], want: ['version', { output: 'text' }] },
    { words: ['version', '-o', 'json'], want: ['version', { output: 'json' }] },
    { words: ['run', '--install', '--workflow-image', 'i:1'], want: ['run', { install: true, workflowImage: 'i:1' }] },
    { words: ['run', '--lease', '1', '--stabilization', '86400'], want: ['run', { lease: 1, stabilization: 86_400 }] },
    { words: ['run', '--audit', 'trail.db'], want: ['run', { audit: 'trail.db' }] },
    { words: ['--config', 'c.yaml'], want: ['up', { config: 'c.yaml' }] },
    { words: ['run', '--config', 'c.yaml'], want: ['run', { config: 'c.yaml' }] },
    {
      words: ['notifications', 'route', '--config', 'c.yaml', 'type=Approval', 'team=a=b'],
      want: ['notificationsRoute', { type: 'Approval', team: 'a=b' }, { config: 'c.yaml', output: 'text' }],
    },
    { words: ['notifications', 'route', '--verify', 'a, b'], want: ['notificationsRoute', {}, { verify: ['a', 'b'], output: 'text' }] },
    { words: ['config', 'check', 'c.yaml'], want: ['configCheck', 'c.yaml', { output: 'text' }] },
    { words: ['config', 'check', 'c.yaml', '-o', 'json'], want: ['configCheck', 'c.yaml', { output: 'json' }] },
    { words: ['config', 'defaults'], want: ['configDefaults'] },
    {
      words: ['run', '--audit', 'a.db', '--audit-key', 'k', '--audit-checkpoints', 'c'],
      want: ['run', { audit: 'a.db', auditKey: 'k', auditCheckpoints: 'c' }],
    },
    { words: ['audit', 'verify', 'a.db'], want: ['auditVerify', 'a.db', { output: 'text' }] },
    {
      words: ['audit', 'verify', 'a.db', '--key', 'k', '--checkpoints', 'c', '-o', 'json'],
      want: ['auditVerify', 'a.db', { key: 'k', checkpoints: 'c', output: 'json' }],
    },
    { words: ['audit', 'export', 'a.db', '--remediation', 'rr'], want: ['auditExport', 'a.db', { remediation: 'rr' }] },
    {
      words: ['audit', 'show', 'a.db', '--since', '2026-03-02T01:00:00+01:00', '--type', 'a,b', '--limit', '5'],
      want: ['auditShow', 'a.db', { since: '2026-03-02T00:00:00Z', type: 'a,b', limit: 5, output: 'text' }],
    },
    { words: ['audit', 'verify'], want: ['auditVerify', undefined, { output: 'text' }] },
    { words: ['audit', 'checkpoint', 'a.db'], want: ['auditCheckpoint', 'a.db'] },
    { words: ['audit', 'adopt', 'a.db', '--key', 'k'], want: ['auditAdopt', 'a.db', { key: 'k' }] },
    {
      words: ['diagnose', 'deploy/checkout'],
      want: ['diagnose', ['deploy/checkout'], { severity: 'warning', sickbayNamespace: 'sickbay-system', output: 'text' }],
    },
    {
      words: ['diagnose', 'node', 'n1', '-n', 'shop', '--alert', 'A', '--severity', 'critical', '--exit-code', '-o', 'yaml'],
      want: [
        'diagnose',
        ['node', 'n1'],
        { namespace: 'shop', alert: 'A', severity: 'critical', sickbayNamespace: 'sickbay-system', exitCode: true, output: 'yaml' },
      ],
    },
    { words: ['simulate', '-'], want: ['simulate', '-', { namespace: 'sickbay-system', output: 'table' }] },
    {
      words: ['simulate', 'a.json', '-n', 'ns', '--cluster-name', 'c', '--config', 'f', '-o', 'json'],
      want: ['simulate', 'a.json', { namespace: 'ns', clusterName: 'c', config: 'f', output: 'json' }],
    },
    { words: ['explain', 'rr'], want: ['explain', 'rr', { namespace: 'sickbay-system', output: 'text' }] },
    {
      words: ['explain', 'rr', '-n', 'ns', '--config', 'c.yaml', '--context', 'x', '--kubeconfig', 'k', '-o', 'json'],
      want: ['explain', 'rr', { namespace: 'ns', config: 'c.yaml', context: 'x', kubeconfig: 'k', output: 'json' }],
    },
    {
      words: ['clear-block', 'shop/Deployment/checkout', '--reason', 'looked at it'],
      want: [
        'clearBlock',
        'shop/Deployment/checkout',
        { namespace: 'sickbay-system', executionNamespace: 'kubernaut-workflows', output: 'text', reason: 'looked at it' },
      ],
    },
    { words: ['approve', 'rr'], want: ['approve', 'rr', { namespace: 'sickbay-system', output: 'text' }] },
    {
      words: [
        'approve',
        'rr',
        '--workflow',
        'w',
        '--parameter',
        'A=1',
        '--parameter',
        'B=x=y',
        '--reason',
        'why',
        '-n',
        'ns',
        '-o',
        'json',
      ],
      want: ['approve', 'rr', { namespace: 'ns', output: 'json', workflow: 'w', parameter: { A: '1', B: 'x=y' }, reason: 'why' }],
    },
    {
      words: ['reject', 'rar', '--reason', 'no', '--kubeconfig', 'k'],
      want: ['reject', 'rar', { namespace: 'sickbay-system', output: 'text', reason: 'no', kubeconfig: 'k' }],
    },
    { words: ['run', '--kubeconfig', 'k', '--context', 'c'], want: ['run', { kubeconfig: 'k', context: 'c' }] },
  ])('$words', async ({ words, want }) => {
    expect(await parse(...words)).toEqual({ did: [want], said: '', code: 0 });
  });

  test.each<{ words: readonly string[]; want: string }>([
    { words: ['rnu'], want: "unknown command 'rnu'" },
    { words: ['up', 'now'], want: "unknown command 'now'" },
    { words: ['run', 'now'], want: 'too many arguments' },
    { words: ['--bogus'], want: "unknown option '--bogus'" },
    { words: ['--install'], want: "unknown option '--install'" },
    { words: ['run', '--install'], want: '--install needs --workflow-image: an image of the workflows that the nodes can pull.' },
    { words: ['run', '--demo'], want: "unknown option '--demo'" },
    { words: ['audit', 'show', 'a.db', '--since', 'yesterday'], want: 'It takes a time with its zone' },
    { words: ['audit', 'show', 'a.db', '--limit', '0'], want: 'It takes a whole number from 1 on.' },
    { words: ['--port'], want: "option '--port <number>' argument missing" },
    { words: ['--port', '65536'], want: 'It takes a number from 0 to 65535.' },
    { words: ['--port', '-1'], want: 'It takes a number from 0 to 65535.' },
    { words: ['--port', '8e3'], want: 'It takes a number from 0 to 65535.' },
    { words: ['--log-level', 'loud'], want: 'Allowed choices are debug, info, warn, error, silent.' },
    { words: ['--listen', '6443'], want: 'It takes an address and a port, such as 127.0.0.1:6443 or [::1]:6443.' },
    { words: ['--listen', '::1:6443'], want: 'It takes an address and a port, such as 127.0.0.1:6443 or [::1]:6443.' },
    { words: ['--listen', 'localhost:65536'], want: 'It takes a number from 0 to 65535.' },
    {
      words: ['--listen', '0.0.0.0:6443'],
      want: '--listen 0.0.0.0:6443 is not a loopback address, so it needs --tls-cert and --tls-key',
    },
    { words: ['--tls-cert', 'c'], want: '--tls-cert and --tls-key go together' },
    { words: ['--listen', '0.0.0.0:0', '--tls-key', 'k'], want: '--tls-cert and --tls-key go together' },
    { words: ['run', '--listen', '8080'], want: 'It takes an address and a port, such as 127.0.0.1:6443 or [::1]:6443.' },
    { words: ['--state', ''], want: 'It must not be empty.' },
    { words: ['run', '--kubeconfig', ''], want: 'It must not be empty.' },
    { words: ['--config', ''], want: 'It must not be empty.' },
    { words: ['clear-block', 'we-1'], want: "required option '--reason <text>' not specified" },
    { words: ['approve'], want: "missing required argument 'name'" },
    { words: ['approve', 'rr', '--parameter', 'A'], want: 'It takes NAME=value.' },
    { words: ['approve', 'rr', '--parameter', '=1'], want: 'It takes NAME=value.' },
    { words: ['approve', 'rr', '--parameter', 'A=1', '--parameter', 'A=2'], want: 'A is given twice.' },
    { words: ['reject', 'rr'], want: "required option '--reason <text>' not specified" },
    { words: ['reject', 'rr', '--reason', 'x', '--workflow', 'w'], want: "unknown option '--workflow'" },
    { words: ['config', 'check'], want: "missing required argument 'file'" },
    { words: ['config', 'check', ''], want: 'It must not be empty.' },
    { words: ['config', 'check', 'a', 'b'], want: 'too many arguments' },
    { words: ['config', 'check', 'a', '-o', 'xml'], want: 'Allowed choices are text, json.' },
    { words: ['config', 'chek'], want: "unknown command 'chek'" },
    { words: ['run', '--context', ' '], want: 'It must not be empty.' },
    { words: ['run', '--lease', '0'], want: 'It takes a whole number of seconds from 1 to 86400.' },
    { words: ['run', '--stabilization', '1.5'], want: 'It takes a whole number of seconds from 1 to 86400.' },
    { words: ['run', '--stabilization', '86401'], want: 'It takes a whole number of seconds from 1 to 86400.' },
    { words: ['run', '--workflow-image', 'i:1'], want: '--workflow-image goes into the catalogue, so it needs --install' },
  ])('refuses $words: it says why and where to look, does nothing, and ends with 1', async ({ words, want }) => {
    const { did, said, code } = await parse(...words);
    expect({ did, code }).toEqual({ did: [], code: 1 });
    expect(said).toMatch(/^sickbay: /);
    expect(said).toContain(want);
    expect(said).toContain('"sickbay --help" lists the commands.');
  });

  test('prints its version, and help that tells of the exit code', async () => {
    expect(await parse('--version')).toMatchObject({ did: [], said: '1.2.3\n', code: 0 });
    const { said, code } = await parse('--help');
    expect(code).toBe(0);
    expect(said).toContain('Exit code: 0');
    expect(said).toContain('sickbay --demo');
    expect(Math.max(...said.split('\n').map(({ length }) => length)), 'widest line').toBeLessThanOrEqual(80);
  });
});
