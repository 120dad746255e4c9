import { Pod } from '../../api/builtin/index.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { LABELS } from '../../api/well-known.ts';
import { hasCode } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { RunLogs } from '../contract/index.ts';

interface Wanted {
  /** Where workflows run. */
  readonly namespace: string;
  readonly lines?: number;
}

const DEFAULT_LINES = 500;
const MOST_BYTES = 256 * 1024;
const MOST_PODS = 10;

/** What the containers of a run wrote last, read with the rights of the caller. */
export async function logsOfRun(client: KubeClient, execution: WorkflowExecution | undefined, wanted: Wanted): Promise<RunLogs> {
  if (!execution) return { containers: [], message: 'no workflow has been scheduled for it' };
  const { namespace, lines: tailLines = DEFAULT_LINES } = wanted;
  const { items } = await client.list(Pod, { namespace, labelSelector: `${LABELS.workflowExecutionUid}=${execution.metadata.uid}` });
  if (items.length === 0) return { containers: [], message: 'there are no pods of its run: it has not begun, runs in AWX, or was deleted' };
  const parts = items.slice(-MOST_PODS).flatMap((pod) => containersOf(pod).map((container) => ({ pod: pod.metadata.name, container })));
  const containers = await Promise.all(
    parts.map(async ({ pod, container }) => {
      // One line more than is shown tells whether there are earlier ones.
      const text = await logOf(client, { namespace, name: pod }, { container, tailLines: tailLines + 1, limitBytes: MOST_BYTES });
      return { pod, container, ...lastLines(text, tailLines) };
    }),
  );
  return { containers };
}

const containersOf = ({ spec }: Pod): readonly string[] =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(({ name }) => name);

function lastLines(text: string, most: number): { readonly text: string; readonly truncated: boolean } {
  const lines = text.split('\n');
  const end = lines.at(-1) === '' ? 1 : 0;
  const shown = lines.slice(-(most + end)).join('\n');
  return { text: shown, truncated: shown.length < text.length || Buffer.byteLength(text) >= MOST_BYTES };
}

type LogPlace = Parameters<KubeClient['log']>;

/** A container that has not started has no log, which is no failure. */
async function logOf(client: KubeClient, ...[pod, options]: LogPlace): Promise<string> {
  try {
    return await client.log(pod, options);
  } catch (error) {
    if (hasCode(error, 'NotFound') || hasCode(error, 'BadRequest')) return '';
    throw error;
  }
}
