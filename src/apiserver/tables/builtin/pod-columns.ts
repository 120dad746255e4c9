import { instant, parseTime, type Instant, type JsonObject } from '../../../base/index.ts';
import type { Stored } from '../../object.ts';
import { columnsOf, type Columns, type RowCondition } from '../columns.ts';
import { humanDuration } from '../human-duration.ts';
import { hasCondition, objectsAt, textAt, textOr } from '../read-field.ts';
import { AGE_COLUMN, NAME } from './metadata-columns.ts';
import { podState } from './pod-state.ts';

const through = (reason: string, message: string): readonly RowCondition[] => [{ type: 'Completed', status: 'True', reason, message }];

const THROUGH: Readonly<Record<string, readonly RowCondition[]>> = {
  Succeeded: through('Succeeded', 'The pod has completed successfully.'),
  Failed: through('Failed', 'The pod failed.'),
};

/** Pods as `kubectl get pods` shows them. */
export const podColumns: Columns = columnsOf(
  [
    NAME,
    { name: 'Ready', description: 'Containers that are ready, of all.', cell: readiness },
    { name: 'Status', description: 'What the pod and its containers are doing.', cell: (pod) => podState(pod).reason },
    { name: 'Restarts', description: 'How often containers were started again, and when last.', cell: restarts },
    AGE_COLUMN,
    {
      name: 'IP',
      wide: true,
      description: 'Address of the pod.',
      cell: (pod) => textOr(objectsAt(pod, 'status.podIPs')[0], 'ip', '<none>'),
    },
    { name: 'Node', wide: true, description: 'Node that the pod is on.', cell: (pod) => textOr(pod, 'spec.nodeName', '<none>') },
    {
      name: 'Nominated Node',
      wide: true,
      description: 'Node where room is being made for the pod.',
      cell: (pod) => textOr(pod, 'status.nominatedNodeName', '<none>'),
    },
    { name: 'Readiness Gates', wide: true, description: 'Conditions that the pod waits for, and how many are met.', cell: gates },
  ],
  { conditions: (pod) => THROUGH[textAt(pod, 'status.phase')] ?? [] },
);

function readiness(pod: Stored): string {
  const sidecars = objectsAt(pod, 'spec.initContainers').filter(isSidecar);
  return `${podState(pod).ready}/${objectsAt(pod, 'spec.containers').length + sidecars.length}`;
}

const isSidecar = (container: JsonObject): boolean => container['restartPolicy'] === 'Always';

function restarts(pod: Stored, now: Instant): string {
  const { statuses } = podState(pod);
  const count = statuses.reduce((sum, status) => sum + Number(status['restartCount'] ?? 0), 0);
  const ends = statuses.map((status) => parseTime(textAt(status, 'lastState.terminated.finishedAt')) ?? instant(0));
  const last = Math.max(0, ...ends);
  return count === 0 || last === 0 ? String(count) : `${count} (${humanDuration(now - last)} ago)`;
}

function gates(pod: Stored): string {
  const wanted = objectsAt(pod, 'spec.readinessGates');
  if (wanted.length === 0) return '<none>';
  return `${wanted.filter((gate) => hasCondition(pod, textAt(gate, 'conditionType'))).length}/${wanted.length}`;
}
