import type { Container } from '../../api/builtin/index.ts';
import { after, SECOND, type Instant } from '../../base/index.ts';
import { readScript } from './container-script.ts';

/** Whether the readiness probe succeeds. Only a command can be judged, and only one that is understood: any other is taken to succeed. */
export function succeeds({ readinessProbe: probe }: Pick<Container, 'readinessProbe'>): boolean {
  const verdict = probe?.exec?.command && readScript(probe.exec.command);
  return !verdict || (verdict.exitCode === 0 && verdict.durationMs !== undefined);
}

/** When a container that started then becomes ready; undefined for never. */
export const readyAt = (container: Container, startedAt: Instant): Instant | undefined =>
  succeeds(container) ? after(startedAt, (container.readinessProbe?.initialDelaySeconds ?? 0) * SECOND) : undefined;
