import { isCordoned, type Node } from '../../../api/builtin/index.ts';
import { MACHINE_HEALTH } from '../../../api/remediation-request/signal-source.ts';
import { undoRecordOn } from '../../../api/undo-record.ts';
import { childNames } from '../../child-names.ts';
import type { PipelineSeen } from './observe.ts';

/**
 * The RemediationRequest whose workflow closed the Node, as far as it was for a Machine's sake; undefined where the Node is open, or was closed by
 * somebody else. Requests are not kept for ever: what was found out stays on record.
 */
export function cordonedBy({ object, node, requests }: PipelineSeen): string | undefined {
  const known = object.status?.cordonedBy;
  if (node.kind === 'unreadable' || requests.kind === 'unreadable') return known;
  const run = node.kind === 'value' ? closingRun(node.value) : undefined;
  if (run === undefined) return undefined;
  const names = requests.value.filter(({ spec }) => spec.signalSource === MACHINE_HEALTH).map(({ metadata }) => metadata.name);
  return [...names, ...(known === undefined ? [] : [known])].find((name) => childNames(name).execution === run);
}

/** The run that cordoned the Node, as it left it on record there. */
function closingRun(node: Node): string | undefined {
  const record = isCordoned(node) ? undoRecordOn(node) : undefined;
  return record?.workflow === 'drain-node' ? record.execution : undefined;
}
