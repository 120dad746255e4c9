import { describe, expect, test } from 'vitest';
import type { ObjectKey } from '../../../api/meta.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { ago, aMachine, NOW } from '../testing/a-machine.ts';
import { CLUSTER_API_LEASE, observeOwners } from './observe-owners.ts';

const ABSENT: Read<object> = { kind: 'absent' };
const FORBIDDEN: Read<object> = { kind: 'unreadable', reason: 'forbidden' };

const lease = (renewedMsAgo: number, holderIdentity = 'capi-1'): Read<object> => ({
  kind: 'value',
  value: { spec: { holderIdentity, renewTime: ago(renewedMsAgo) } },
});

const writtenBy = (manager: string, msAgo: number): Read<object> => ({
  kind: 'value',
  value: {
    metadata: {
      managedFields: [
        { manager: 'kubectl', time: ago(0) },
        { manager, time: ago(msAgo) },
      ],
    },
  },
});

function readerOf(
  read: Read<object>,
  machine: Read<object> = ABSENT,
): { readonly reader: Pick<Reader, 'fetch'>; readonly asked: string[] } {
  const asked: string[] = [];
  const fetch = ({ kind }: { readonly kind: string }, key: ObjectKey): Promise<Read<object>> => {
    asked.push(`${kind} ${key.namespace}/${key.name}`);
    return Promise.resolve(kind === 'Lease' ? read : machine);
  };
  return { reader: { fetch } as never, asked };
}

describe('for which owners a controller is known to act (ruling 124)', () => {
  test.each([true, false])(
    'with definitions of Sickbay: MachineSets where it keeps them (%s), and nothing is read',
    async (keepsMachineSets) => {
      const { reader, asked } = readerOf(lease(0));
      const owners = await observeOwners(aMachine(), reader, { definitions: 'sickbay', keepsMachineSets, now: NOW });
      expect(owners).toEqual({ machineSets: keepsMachineSets, controlPlanes: false });
      expect(asked).toEqual([]);
    },
  );

  test.each<readonly [string, Read<object>, Read<object>, boolean]>([
    ['its Lease was just renewed', lease(10 * SECOND), ABSENT, true],
    [
      'its Lease was not renewed for long, although it wrote a Machine before',
      lease(6 * MINUTE),
      writtenBy('capi-machineset', MINUTE),
      false,
    ],
    ['nothing holds its Lease', lease(10 * SECOND, ''), ABSENT, false],
    ['its Lease is not where it usually is, and it wrote the Machine', ABSENT, writtenBy('capi-machineset', MINUTE), true],
    ['its Lease may not be read, and it wrote the Machine', FORBIDDEN, writtenBy('capi-kubeadmcontrolplane', MINUTE), true],
    ['it wrote the Machine too long ago', ABSENT, writtenBy('capi-machineset', 2 * HOUR), false],
    ['only others wrote the Machine', ABSENT, writtenBy('kubectl-edit', 0), false],
    ['nothing can be read', FORBIDDEN, FORBIDDEN, false],
  ])('with definitions of Cluster API, where %s', async (_, read, machine, acts) => {
    const { reader } = readerOf(read, machine);
    const owners = await observeOwners(aMachine(), reader, { definitions: 'cluster-api', keepsMachineSets: true, now: NOW });
    expect(owners).toEqual({ machineSets: acts, controlPlanes: acts });
  });

  test('the Lease is read by its name', async () => {
    const { reader, asked } = readerOf(lease(0));
    await observeOwners(aMachine(), reader, { definitions: 'cluster-api', keepsMachineSets: false, now: NOW });
    expect(asked).toEqual([`Lease ${CLUSTER_API_LEASE.namespace}/${CLUSTER_API_LEASE.name}`]);
  });
});
