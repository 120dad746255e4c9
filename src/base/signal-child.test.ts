import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { signalChild } from './signal-child.ts';

test('a child that could not be started is sent nothing', async () => {
  const child = spawn('/nonexistent', { stdio: 'ignore' });
  const failed = once(child, 'error');
  const kill = vi.spyOn(child, 'kill');
  expect(signalChild(child, 'SIGKILL')).toBe(false);
  expect(kill).not.toHaveBeenCalled();
  await failed;
});

test('a child that runs is sent the signal', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const gone = once(child, 'exit');
  expect(signalChild(child, 'SIGKILL')).toBe(true);
  expect(await gone).toEqual([null, 'SIGKILL']);
});
