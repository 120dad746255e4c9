import type { JsonObject } from '../../../base/index.ts';
import type { Stored } from '../../object.ts';
import { columnsOf, type Columns } from '../columns.ts';
import { countAt, fieldAt, mapAt, objectsAt, textAt } from '../read-field.ts';
import { labelsText } from './label-texts.ts';
import { AGE_COLUMN, NAME } from './metadata-columns.ts';

/** Services as `kubectl get services` shows them. */
export const serviceColumns: Columns = columnsOf([
  NAME,
  { name: 'Type', description: 'How the service can be reached.', cell: (service) => textAt(service, 'spec.type') },
  { name: 'Cluster-IP', description: 'Address within the cluster.', cell: (service) => texts(service, 'spec.clusterIPs')[0] ?? '<none>' },
  { name: 'External-IP', description: 'Addresses from outside.', cell: externalAddress },
  {
    name: 'Port(s)',
    description: 'Ports of the service.',
    cell: (service) => objectsAt(service, 'spec.ports').map(port).join(',') || '<none>',
  },
  AGE_COLUMN,
  {
    name: 'Selector',
    wide: true,
    description: 'Labels of the pods behind it.',
    cell: (service) => labelsText(mapAt(service, 'spec.selector')),
  },
]);

function texts(service: Stored, path: string): readonly string[] {
  const found = fieldAt(service, path);
  return Array.isArray(found) ? found.map(String) : [];
}

function externalAddress(service: Stored): string {
  const external = texts(service, 'spec.externalIPs');
  switch (textAt(service, 'spec.type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return [...balancers(service), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return textAt(service, 'spec.externalName');
    default:
      return '<unknown>';
  }
}

const balancers = (service: Stored): readonly string[] => [
  ...new Set(objectsAt(service, 'status.loadBalancer.ingress').map((one) => textAt(one, 'ip') || textAt(one, 'hostname'))),
];

function port(given: JsonObject): string {
  const node = countAt(given, 'nodePort');
  return `${countAt(given, 'port')}${node > 0 ? `:${node}` : ''}/${textAt(given, 'protocol')}`;
}
