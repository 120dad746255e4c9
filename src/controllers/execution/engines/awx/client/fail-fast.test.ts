import { expect, test } from 'vitest';
import { SECOND } from '../../../../../base/index.ts';
import { ManualClock } from '../../../../../testkit/manual-clock.ts';
import type { AwxRequest } from './awx-request.ts';
import { failFast } from './fail-fast.ts';

const request = (method: AwxRequest['method']): AwxRequest => ({ method, apiURL: 'https://awx', token: 't', path: '/api/v2/jobs/' });

test('an AWX that does not answer holds up the first reader only; writes are always sent', async () => {
  const clock = new ManualClock();
  let [sent, isSilent] = [0, true];
  const send = failFast(() => {
    sent++;
    return isSilent ? Promise.reject(new Error('timeout')) : Promise.resolve({ code: 500, text: '' });
  }, clock);
  for (let i = 0; i < 5; i++) await expect(send(request('GET'))).rejects.toThrow('timeout');
  expect(sent).toBe(1);
  await expect(send(request('POST'))).rejects.toThrow('timeout');
  expect(sent).toBe(2);
  isSilent = false;
  await clock.advance(9 * SECOND);
  expect(await send(request('GET'))).toEqual({ code: 500, text: '' });
  expect(await send(request('GET'))).toMatchObject({ code: 500 });
  expect(sent).toBe(4);
});
