import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kinds } from '../kinds.ts';
import { CLUSTER_API } from '../parts/group.ts';
import { resourceName } from '../resource.ts';
import { MachineHealthCheck } from './machine-health-check.ts';

const filesIn = (folder: string): readonly string[] => readdirSync(new URL(`../../../deploy/${folder}`, import.meta.url));

test('[MH-168] [MH-169] checks come with the other kinds of their group: in one release, in the same version', () => {
  const ofGroup = kinds.filter(({ group }) => group === CLUSTER_API);
  expect(ofGroup.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Machine', 'MachineSet', 'MachineHealthCheck']));
  expect(new Set(ofGroup.map(({ version }) => version))).toEqual(new Set([MachineHealthCheck.version]));
  const released = ofGroup.map((kind) => `${resourceName(kind)}.yaml`);
  for (const folder of ['crds', 'chart/crds']) expect(filesIn(folder)).toEqual(expect.arrayContaining(released));
});
