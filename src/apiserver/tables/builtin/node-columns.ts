import type { Stored } from '../../object.ts';
import { columnsOf, type Columns } from '../columns.ts';
import { fieldAt, mapAt, objectsAt, textAt, textOr } from '../read-field.ts';
import { AGE_COLUMN, NAME } from './metadata-columns.ts';

const INFO = 'status.nodeInfo';

/** Nodes as `kubectl get nodes` shows them. */
export const nodeColumns: Columns = columnsOf([
  NAME,
  { name: 'Status', description: 'Whether the node is ready, and whether pods may come.', cell: status },
  { name: 'Roles', description: 'What the node is for.', cell: (node) => roles(node).join(',') || '<none>' },
  AGE_COLUMN,
  { name: 'Version', description: 'Version of the kubelet.', cell: (node) => textAt(node, `${INFO}.kubeletVersion`) },
  { name: 'Internal-IP', wide: true, description: 'Address within the cluster.', cell: (node) => address(node, 'InternalIP') },
  { name: 'External-IP', wide: true, description: 'Address from outside.', cell: (node) => address(node, 'ExternalIP') },
  { name: 'OS-Image', wide: true, description: 'Operating system.', cell: (node) => textOr(node, `${INFO}.osImage`, '<unknown>') },
  { name: 'Kernel-Version', wide: true, description: 'Kernel, and what it runs on.', cell: kernel },
  {
    name: 'Container-Runtime',
    wide: true,
    description: 'What runs the containers.',
    cell: (node) => textOr(node, `${INFO}.containerRuntimeVersion`, '<unknown>'),
  },
]);

function status(node: Stored): string {
  const ready = objectsAt(node, 'status.conditions').findLast(({ type }) => type === 'Ready');
  const known = ready ? (ready['status'] === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return fieldAt(node, 'spec.unschedulable') === true ? `${known},SchedulingDisabled` : known;
}

const ROLE = 'node-role.kubernetes.io/';

function roles(node: Stored): readonly string[] {
  const found = Object.entries(mapAt(node, 'metadata.labels')).map(([key, value]) =>
    key.startsWith(ROLE) ? key.slice(ROLE.length) : key === 'kubernetes.io/role' ? String(value) : '',
  );
  return [...new Set(found)].filter((role) => role !== '').toSorted();
}

const address = (node: Stored, type: string): string =>
  textOr(
    objectsAt(node, 'status.addresses').find((one) => one['type'] === type),
    'address',
    '<none>',
  );

function kernel(node: Stored): string {
  const architecture = textAt(node, `${INFO}.architecture`);
  const version = textOr(node, `${INFO}.kernelVersion`, '<unknown>');
  return architecture === '' ? version : `${version} (${architecture})`;
}
