import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { Namespace } from '../../api/builtin/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { systemRandom } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import { bearer } from '../../kube/http/http-config.ts';
import { httpTransport, type HttpTransport } from '../../kube/http/http-transport.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { Errand } from '../../testkit/sample/errand.ts';
import { preconditionTests } from '../testing/precondition-tests.ts';

describeOnControlPlane('preconditions on a real kube-apiserver', (plane) => {
  const namespace = `preconditions-${systemRandom.int(1e9)}`;
  let transport: HttpTransport;
  beforeAll(async () => {
    const { url, token, caFile } = plane();
    transport = httpTransport({ server: url, ca: readFileSync(caFile), identity: bearer(token) });
    await installKind(transport, Errand);
    await createClient(transport).create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  });
  afterAll(() => transport.close());
  preconditionTests(() => ({ client: createClient(transport), namespace }));
});
