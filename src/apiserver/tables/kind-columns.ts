import type { Kind } from '../kinds/kind.ts';
import { bindingColumns } from './builtin/access-columns.ts';
import { configMapColumns, eventColumns, leaseColumns, namespaceColumns, quotaColumns, secretColumns } from './builtin/core-columns.ts';
import { AGE_COLUMN, CREATED_AT, NAME } from './builtin/metadata-columns.ts';
import { nodeColumns } from './builtin/node-columns.ts';
import { podColumns } from './builtin/pod-columns.ts';
import { serviceColumns } from './builtin/service-columns.ts';
import {
  budgetColumns,
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  replicaSetColumns,
  statefulSetColumns,
} from './builtin/workload-columns.ts';
import { columnsOf, type Columns } from './columns.ts';
import { customColumns } from './custom-columns.ts';

/** The columns of built-in kinds, by table. */
const BUILTIN: Readonly<Record<string, Columns>> = {
  '/namespaces': namespaceColumns,
  '/nodes': nodeColumns,
  '/pods': podColumns,
  '/configmaps': configMapColumns,
  '/secrets': secretColumns,
  '/events': eventColumns,
  '/services': serviceColumns,
  '/serviceaccounts': columnsOf([NAME, AGE_COLUMN]),
  '/resourcequotas': quotaColumns,
  'apps/deployments': deploymentColumns,
  'apps/replicasets': replicaSetColumns,
  'apps/statefulsets': statefulSetColumns,
  'apps/daemonsets': daemonSetColumns,
  'batch/jobs': jobColumns,
  'batch/cronjobs': cronJobColumns,
  'coordination.k8s.io/leases': leaseColumns,
  'policy/poddisruptionbudgets': budgetColumns,
  'rbac.authorization.k8s.io/rolebindings': bindingColumns,
  'rbac.authorization.k8s.io/clusterrolebindings': bindingColumns,
};

const USUAL = columnsOf([NAME, CREATED_AT]);

/** How objects of a kind are shown in tables. */
export const kindColumns = (kind: Kind): Columns => (kind.custom ? customColumns(kind.custom) : (BUILTIN[kind.table] ?? USUAL));
