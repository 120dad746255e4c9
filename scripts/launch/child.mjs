/** Runs a child process on this terminal, forwards signals to it and takes over its exit code. Plain JavaScript for any Node ≥ 20. */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { exitCodeFor, NODE_FLAGS, signalsToForward } from './plan.mjs';

/** Listening to all three also keeps this process alive until the child has ended. */
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs `node program args…` and resolves to the code to exit with; rejects when it cannot be started. Unless the options say otherwise, its
 * output is that of this process.
 * @param {string} node the Node to run under
 * @param {readonly string[]} command
 * @param {import('node:child_process').SpawnOptions & { readonly isBackground?: boolean }} options `isBackground` lets other processes run first
 * @returns {Promise<number>}
 */
export function runChild(node, command, { isBackground = false, ...options }) {
  const child = spawn(node, [...NODE_FLAGS, ...command], { stdio: 'inherit', ...options });
  if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const forwarded = signalsToForward(process.stdin.isTTY);
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => void (child.pid !== undefined && forwarded.includes(signal) && child.kill(signal));
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const each of SIGNALS) process.off(each, onSignal);
      resolve(exitCodeFor(code, signal, constants.signals));
    });
  });
}
