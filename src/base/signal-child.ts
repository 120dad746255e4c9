import type { ChildProcess } from 'node:child_process';

/**
 * Sends a signal to a child that was really started; false when there is no such process.
 * Until the failure of a start is told, `child.kill` signals whatever number lies in memory: 0 is our own group.
 */
export const signalChild = (child: ChildProcess, signal: NodeJS.Signals): boolean => child.pid !== undefined && child.kill(signal);
