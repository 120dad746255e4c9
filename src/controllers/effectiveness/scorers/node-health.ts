import { nodeFaults, type Node } from '../../../api/builtin/index.ts';
import type { Health } from './health.ts';

/** How healthy a Node is, by what it says itself: one that is not ready is not well at all, whatever was moved away from it. */
export function scoreNodeHealth(node: Node): Health {
  const [first, ...rest] = nodeFaults(node);
  if (!first) return { score: 1, message: 'the Node is ready' };
  const message = `the Node is not well: ${[first, ...rest].map(({ text }) => text).join(', ')}`;
  return { score: first.type === 'Ready' ? 0 : 0.5, message };
}
