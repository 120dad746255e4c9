import type { KubeObject } from '../../api/meta.ts';
import type { Store } from '../../kube/cache/cache.ts';
import type { SignalJournal } from '../../store/index.ts';
import type { Topic } from '../contract/index.ts';
import type { ApiStores } from '../handlers/api-parts.ts';
import { requestOf } from '../views/remediation-rows.ts';
import type { ChangeLog } from './change-log.ts';

/** Logs every change of what the API shows. A change of a child is one of its remediation. */
export function watchStores(stores: ApiStores, journal: SignalJournal, log: ChangeLog): void {
  const follow = (store: Store<KubeObject> | undefined, topic: Topic, nameOf: (object: KubeObject) => string | undefined): void => {
    store?.onChange(({ object }) => {
      const name = nameOf(object);
      if (name !== undefined) log.add(topic, name);
    });
  };
  const own = ({ metadata }: KubeObject): string => metadata.name;
  const placed = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;
  const parent = (object: KubeObject): string | undefined => requestOf(object)?.name;
  const { requests, processings, analyses, executions, assessments, notifications, approvals, workflows, machines, checks } = stores;
  follow(requests as Store<KubeObject>, 'remediations', own);
  for (const store of [processings, analyses, executions, assessments, notifications, approvals])
    follow(store as Store<KubeObject>, 'remediations', parent);
  follow(approvals as Store<KubeObject>, 'approvals', own);
  follow(workflows as Store<KubeObject>, 'workflows', own);
  follow(machines as Store<KubeObject> | undefined, 'machines', placed);
  follow(checks as Store<KubeObject> | undefined, 'machine-checks', placed);
  journal.onAdd(({ number }) => log.add('signals', String(number)));
}
