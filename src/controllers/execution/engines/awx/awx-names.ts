import { createHash } from 'node:crypto';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';

/** What the name of everything that is made in AWX for one execution begins with. */
const PREFIX = 'kubernaut-ephemeral';

/** AWX takes names of up to 512 characters. */
const LONGEST_PART = 200;

/**
 * The name of a credential, and of its type, in AWX. It ends in the UID of its execution, so that everything of an execution can be found
 * without a record, and nothing of another one is ever taken for it.
 */
export const ephemeralName = (what: string, { name, uid }: WorkflowExecution['metadata']): string =>
  `${PREFIX}-${short(what)}-${short(name)}${endingOf(uid)}`;

/** How names of what was made for an execution end. */
export const endingOf = (uid: string): string => `-${uid}`;

/** Whether the name is one that we gave. */
export const isEphemeral = (name: string, uid: string): boolean => name.startsWith(`${PREFIX}-`) && name.endsWith(endingOf(uid));

const short = (text: string): string =>
  text.length <= LONGEST_PART
    ? text
    : `${text.slice(0, LONGEST_PART - 17)}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

/** The name of a variable for an entry of a Secret or a ConfigMap. */
export const variableName = (kind: 'SECRET' | 'CONFIGMAP', name: string, key: string): string =>
  `KUBERNAUT_${kind}_${name}_${key}`.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');

/** The name of the run in status. */
export const awxJobName = (id: number): string => `awx-job-${id}`;

/** The kind of the run in status. */
export const AWX_JOB = 'AWXJob';
