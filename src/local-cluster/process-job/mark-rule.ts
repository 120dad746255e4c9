import type { AdmissionRule } from '../../apiserver/index.ts';
import { ALLOW, deny } from '../../apiserver/admission/admission.ts';
import { PROCESS_MARK } from './process-mark.ts';

/** No user sets, changes or removes the mark of what runs as a process; this process itself is not subject to rules. */
export const markRule: AdmissionRule = (write) => {
  const { table } = write.target.kind;
  if (table !== 'batch/jobs' && table !== '/pods') return ALLOW;
  const before = write.old?.metadata.annotations?.[PROCESS_MARK];
  if (write.object.metadata.annotations?.[PROCESS_MARK] === before) return ALLOW;
  return deny(write, `annotation ${PROCESS_MARK} is set by Sickbay alone: it decides what runs as a process of this machine`);
};
