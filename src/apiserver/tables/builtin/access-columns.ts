import type { Stored } from '../../object.ts';
import { columnsOf, type Columns } from '../columns.ts';
import { objectsAt, textAt } from '../read-field.ts';
import { AGE_COLUMN, NAME } from './metadata-columns.ts';

/** RoleBindings and ClusterRoleBindings. */
export const bindingColumns: Columns = columnsOf([
  NAME,
  {
    name: 'Role',
    description: 'The role that is given.',
    cell: (binding) => `${textAt(binding, 'roleRef.kind')}/${textAt(binding, 'roleRef.name')}`,
  },
  AGE_COLUMN,
  { name: 'Users', wide: true, description: 'Users who have it.', cell: (binding) => subjects(binding, 'User') },
  { name: 'Groups', wide: true, description: 'Groups that have it.', cell: (binding) => subjects(binding, 'Group') },
  {
    name: 'ServiceAccounts',
    wide: true,
    description: 'Service accounts that have it.',
    cell: (binding) => subjects(binding, 'ServiceAccount'),
  },
]);

const subjects = (binding: Stored, kind: string): string =>
  objectsAt(binding, 'subjects')
    .filter((subject) => subject['kind'] === kind)
    .map((subject) => (kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/` : '') + textAt(subject, 'name'))
    .join(', ');
