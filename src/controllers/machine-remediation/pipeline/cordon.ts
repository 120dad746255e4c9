import { isCordoned, type Node } from '../../../api/builtin/index.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { MACHINE_HEALTH } from '../../../api/remediation-request/signal-source.ts';
import { undoRecordOn } from '../../../api/undo-record.ts';
import { childNames } from '../../child-names.ts';
import type { PipelineSeen } from './observe.ts';

/**
 * The RemediationRequest whose workflow closed the Node, as far as it was for a Machine's sake; undefined where the Node is open, or was closed by
 * another client. Requests are not kept for ever, so the finding is recorded in status.
 */
export function cordonedBy(seen: PipelineSeen): string | undefined {
  const known = seen.object.status?.cordonedBy;
  if (seen.node.kind === 'unreadable') return known;
  const { run, request } = closingOf(seen);
  if (request) return isForMachine(request) ? request.metadata.name : undefined;
  return known !== undefined && childNames(known).execution === run ? known : undefined;
}

/** The RemediationRequest whose workflow closed the Node, where another source opened it: an alert, or an operator. */
export function cordonedForOthers(seen: PipelineSeen): string | undefined {
  const { request } = closingOf(seen);
  return request && !isForMachine(request) ? request.metadata.name : undefined;
}

/**
 * The RemediationRequest that drained the Node, whatever opened it: the one whose run closed it, or a later one, whose run found it closed and only
 * had to finish what that one began.
 */
export function drainedBy(seen: PipelineSeen): string | undefined {
  const { request, requests } = closingOf(seen);
  // One that is gone counts as finished.
  if (!request) return cordonedBy(seen);
  const done = [request, ...requests.filter((later) => isSameAgain(request, later))];
  return done.find(({ status }) => status?.overallPhase === 'Completed')?.metadata.name;
}

const isForMachine = ({ spec }: RemediationRequest): boolean => spec.signalSource === MACHINE_HEALTH;

/** Whether the same workflow has run on the Node after it, to its end: what is verified has run. */
const isSameAgain = (first: RemediationRequest, later: RemediationRequest): boolean =>
  later.metadata.creationTimestamp >= first.metadata.creationTimestamp &&
  later.status?.verifyingStartTime !== undefined &&
  later.status.selectedWorkflowRef?.workflowId === first.status?.selectedWorkflowRef?.workflowId;

/** The run that closed the Node, with its request where there still is one. */
function closingOf({ node, requests }: PipelineSeen) {
  const all = requests.kind === 'value' ? requests.value : [];
  const run = node.kind === 'value' ? closingRun(node.value) : undefined;
  return { run, requests: all, request: all.find(({ metadata }) => childNames(metadata.name).execution === run) };
}

/** The run that cordoned the Node, as it recorded itself there. */
function closingRun(node: Node): string | undefined {
  const record = isCordoned(node) ? undoRecordOn(node) : undefined;
  return record?.workflow === 'drain-node' ? record.execution : undefined;
}
