import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { moduleBeside } from '../../base/index.ts';
import type { ProcessProgram } from '../../local-cluster/index.ts';
import { readLibrary } from '../../../workflows/library.ts';

/** The image whose containers run as child processes here: the workflow library. */
export const WORKFLOWS_IMAGE = 'sickbay/workflows';

const ROOT = new URL('../../../', import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, ROOT));

/** What a run gets besides the parameters that its workflow declares. */
const OF_EVERY_RUN = ['TARGET_RESOURCE', 'TARGET_UID', 'WORKFLOW_EXECUTION'];

/** The folders of npm packages for this program: its own and, where Sickbay is itself an installed package, the one that it is in. */
const packageFolders = (root: string): readonly string[] =>
  [join(root, 'node_modules'), dirname(root)].filter((folder) => folder.endsWith('node_modules') && existsSync(folder));

/** What a process may read besides its own folder: the program. The kubeconfig of the administrator and the signing key are elsewhere. */
const PROGRAM_FILES = [...['src', 'workflows', 'package.json'].map(at), ...packageFolders(at('.'))].map(
  (path) => `--allow-fs-read=${path}`,
);

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
      fileURLToPath(moduleBeside('../../../workflows/main', import.meta.url)),
    ],
    variables: new Set([...OF_EVERY_RUN, ...declared]),
  };
}
