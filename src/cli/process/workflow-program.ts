import { fileURLToPath } from 'node:url';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { ProcessProgram } from '../../local-cluster/index.ts';
import { readLibrary } from '../../../workflows/library.ts';

/** The image whose containers run as child processes here: the workflow library. */
export const WORKFLOWS_IMAGE = 'sickbay/workflows';

const ROOT = new URL('../../../', import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, ROOT));

/** What a run gets besides the parameters that its workflow declares. */
const OF_EVERY_RUN = ['TARGET_RESOURCE', 'TARGET_UID', 'WORKFLOW_EXECUTION'];

/** What a process may read besides its own folder: the program. The kubeconfig of the administrator and the signing key are elsewhere. */
const PROGRAM_FILES = ['src', 'workflows', 'node_modules', 'package.json'].map((name) => `--allow-fs-read=${at(name)}`);

/** The workflow library as a program of this machine: it is told the parameters that its workflows declare, and reads its own files. */
export async function workflowProgram(namespaces: Parameters<typeof readLibrary>[0]): Promise<ProcessProgram> {
  const entries = await readLibrary(namespaces);
  const workflows = entries.flatMap(({ resource, draft }) =>
    resource === RemediationWorkflow ? [draft as unknown as RemediationWorkflow] : [],
  );
  const declared = workflows.flatMap(({ spec }) => (spec.parameters ?? []).map(({ name }) => name));
  return {
    command: (home) => [
      process.execPath,
      '--permission',
      ...PROGRAM_FILES,
      ...(home === undefined ? [] : [`--allow-fs-read=${home}`]),
      at('workflows/main.ts'),
    ],
    variables: new Set([...OF_EVERY_RUN, ...declared]),
  };
}
