import { afterEach, expect, test } from 'vitest';
import { SECOND } from '../../../base/index.ts';
import type { ApiRequest, ApiResponse } from '../../../kube/client/transport.ts';
import { Ward } from '../testing/ward.ts';

let ward: Ward;
afterEach(() => ward.stage.end());

/** The Job's controller writes its status just when the Job is released. */
function conflictOnce(): (request: ApiRequest) => ApiResponse | undefined {
  let isOver = false;
  const message = 'the object has been modified';
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Conflict', message, code: 409 };
  return ({ method, path }) => {
    if (isOver || method !== 'PATCH' || !path.includes('/jobs/')) return undefined;
    isOver = true;
    return { code: 409, body };
  };
}

test('a run that changes just before its release still gets its Event, exactly once', async () => {
  ward = await Ward.open();
  ward.stage.intercept = conflictOnce();
  await ward.remediate('a', 'shop/Deployment/checkout');
  await ward.stage.advance(30 * SECOND);
  expect(await ward.atWork()).toHaveLength(1);
  expect(ward.stage.told.filter((reason) => reason === 'ExecutionCreated')).toEqual(['ExecutionCreated']);
});
