import type { Container } from '../../api/builtin/index.ts';
import { after, SECOND, type Instant } from '../../base/index.ts';
import { readScript } from './container-script.ts';

/**
 * When a container that started then becomes ready; undefined for never. Of a probe only a command can be judged, and only one that is understood: any other
 * is taken to succeed.
 */
export function readyAt({ readinessProbe: probe }: Container, startedAt: Instant): Instant | undefined {
  const verdict = probe?.exec?.command && readScript(probe.exec.command);
  if (verdict && (verdict.exitCode !== 0 || verdict.durationMs === undefined)) return undefined;
  return after(startedAt, (probe?.initialDelaySeconds ?? 0) * SECOND);
}
