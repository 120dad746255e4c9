import type { Plan } from '../change.ts';
import { pointer } from '../pointer.ts';
import { rolloutObjection, type Workload } from '../workloads.ts';

/** On the pod template: the run for which its pods were last restarted. Another value restarts them. */
const RESTARTED_FOR = 'kubernaut.ai/restarted-for';
/** The mark that stands for none. */
const NO_MARK = 'none';

/** How the workload's pods are restarted, by a rollout: the template gets another mark. */
export function planRestart(workload: Workload, mark: string): Plan {
  const objection = rolloutObjection(workload) ?? (workload.spec.replicas === 0 ? 'it has no replicas to restart' : undefined);
  if (objection !== undefined) return { kind: 'refused', why: objection };
  const annotations = workload.spec.template.metadata?.annotations;
  const before = annotations?.[RESTARTED_FOR] ?? NO_MARK;
  if (before === mark) return { kind: 'already', why: `was already restarted for ${mark}` };
  const path = pointer('spec', 'template', 'metadata', 'annotations', RESTARTED_FOR);
  const undo = { workflow: 'restart-workload', parameters: { MARK: before } };
  if (mark === NO_MARK) return { kind: 'change', operations: [{ op: 'remove', path }], did: `restarted without the mark ${before}`, undo };
  return {
    kind: 'change',
    operations: annotations
      ? [{ op: 'add', path, value: mark }]
      : [{ op: 'add', path: '/spec/template/metadata/annotations', value: { [RESTARTED_FOR]: mark } }],
    did: `restarted for ${mark}`,
    undo,
  };
}
