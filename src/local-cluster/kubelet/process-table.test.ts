import { expect, test } from 'vitest';
import { ScriptedProcesses, settle } from '../testing/local-world.ts';
import { createProcessTable } from './process-table.ts';

const account = { namespace: 'default', name: 'worker', pod: { name: 'run', uid: 'pod-1' } };
const container = { name: 'app', image: 'sickbay/workflows:1' };

test('a process is started once, however often it is asked for', async () => {
  const processes = new ScriptedProcesses();
  const table = createProcessTable(processes, 'life');
  expect(table.stateOf('pod-1')).toEqual({ kind: 'unknown' });
  table.start('pod-1', container, account);
  table.start('pod-1', container, account);
  expect(table.stateOf('pod-1')).toEqual({ kind: 'running' });
  processes.started[0]?.end({ exitCode: 1, message: 'no' });
  await settle();
  table.start('pod-1', container, account);
  expect(processes.started).toHaveLength(1);
  expect(table.stateOf('pod-1')).toEqual({ kind: 'ended', exitCode: 1, message: 'no' });
});

test('only what runs is stopped, and only what ended is forgotten', async () => {
  const processes = new ScriptedProcesses();
  const table = createProcessTable(processes, 'life');
  table.stop('pod-1');
  expect(processes.stopped).toEqual([]);
  table.start('pod-1', container, account);
  table.forget('pod-1');
  expect(table.known()).toEqual(['pod-1']);
  table.stop('pod-1');
  await settle();
  table.stop('pod-1');
  expect(processes.stopped).toEqual(['pod-1']);
  table.forget('pod-1');
  expect(table.known()).toEqual([]);
});

test('a process that cannot be run has ended, with the reason', async () => {
  const broken = { runs: () => true, start: () => Promise.reject(new Error('out of memory')), stop() {} };
  const table = createProcessTable(broken, 'life');
  table.start('pod-1', container, account);
  await settle();
  expect(table.stateOf('pod-1')).toEqual({ kind: 'ended', exitCode: 128, message: 'out of memory' });
});
