import type { ContainerStatus } from '../../api/builtin/index.ts';
import type { Program } from './container-program.ts';

const FORM = /^script:\/\/(\d+|forever)\/(\d+)(\/oom)?$/;

/**
 * A container reads its environment once, when it starts: what it does is kept in its ID then, so that a ConfigMap that changes later changes nothing
 * before it starts again.
 */
export function configuredId(program: Program): Pick<ContainerStatus, 'containerID'> {
  if (program.kind !== 'script' || program.isConfigured !== true) return {};
  const { durationMs = 'forever', exitCode, isOutOfMemory } = program;
  return { containerID: `script://${durationMs}/${exitCode}${isOutOfMemory ? '/oom' : ''}` };
}

/** What the container that runs was started with. */
export function startedProgram({ containerID }: ContainerStatus, present: Program): Program {
  const [found, duration, exitCode, oom] = FORM.exec(containerID ?? '') ?? [];
  if (found === undefined) return present;
  return {
    kind: 'script',
    durationMs: duration === 'forever' ? undefined : Number(duration),
    exitCode: Number(exitCode),
    ...(oom !== undefined && { isOutOfMemory: true }),
  };
}
