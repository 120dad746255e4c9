import { expect, onTestFinished, test } from 'vitest';
import { Namespace, Node } from '../../api/builtin/index.ts';
import { kinds } from '../../api/kinds.ts';
import { Machine } from '../../api/machine/machine.ts';
import { ACCOUNT, machineOwnerRights, OWNER_ACCOUNT, ownRights } from '../../api/rights/index.ts';
import { after, hasCode, MINUTE, systemClock } from '../../base/index.ts';
import { accountIdentity } from '../../kube/identity/account-identity.ts';
import { createClient, httpTransport, type HttpConfig, type KubeClient } from '../../kube/index.ts';
import { installKinds } from '../../kube/client/install-kinds.ts';
import { whoAmI } from '../../kube/identity/who-am-i.ts';
import type { ControlPlaneAccess } from '../../testkit/control-plane.ts';
import { describeOnOwnControlPlane } from '../../testkit/lanes.ts';
import { grant } from './install.ts';

const PLACES = { namespace: 'owner-rights', executionNamespace: 'owner-runs' };

function clientOf(plane: ControlPlaneAccess, identity: HttpConfig['identity']): KubeClient {
  const transport = httpTransport({ server: plane.url, ca: plane.caData, ...(identity && { identity }) });
  onTestFinished(() => transport.close());
  return createClient(transport);
}

const asAccount = (plane: ControlPlaneAccess, client: KubeClient, name: string): KubeClient =>
  clientOf(plane, accountIdentity({ client, account: { namespace: PLACES.namespace, name }, clock: systemClock }));

describeOnOwnControlPlane('the account of the local owner', (plane) => {
  test(
    '[MH-152] is reached by a token that only ours may ask for, and alone may delete Machines and Nodes',
    { timeout: 180_000 },
    async () => {
      const admin = clientOf(plane(), { headers: { authorization: `Bearer ${plane().token}` } });
      await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
      for (const name of [PLACES.namespace, PLACES.executionNamespace])
        await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      await grant(admin, [...ownRights(PLACES), ...machineOwnerRights(PLACES)]);
      const ours = asAccount(plane(), admin, ACCOUNT);
      const owner = asAccount(plane(), ours, OWNER_ACCOUNT);
      expect(await whoAmI(owner)).toBe(`system:serviceaccount:${PLACES.namespace}:${OWNER_ACCOUNT}`);
      for (const [resource, key] of [
        [Machine, { namespace: PLACES.namespace, name: 'any' }],
        [Node, { namespace: '', name: 'any' }],
      ] as const) {
        await expect(ours.delete(resource, key)).rejects.toSatisfy((error) => hasCode(error, 'Forbidden'));
        await expect(owner.delete(resource, key)).rejects.toSatisfy((error) => hasCode(error, 'NotFound'));
      }
      const another = asAccount(plane(), ours, 'default');
      await expect(whoAmI(another)).rejects.toSatisfy((error) => hasCode(error, 'Forbidden'));
    },
  );
});
