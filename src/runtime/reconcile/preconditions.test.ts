import { beforeAll, describe } from 'vitest';
import { installKind } from '../../testkit/try-bad-value.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { seededRandom, systemClock } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import { Errand } from '../../testkit/sample/errand.ts';
import { preconditionTests } from '../testing/precondition-tests.ts';

describe('preconditions on the memory API', () => {
  const api = createMemoryApi({ clock: systemClock, random: seededRandom(1) });
  beforeAll(() => installKind(api, Errand));
  preconditionTests(() => ({ client: createClient(api), namespace: 'default' }));
});
