/** Which Jobs run as processes of this machine: those that Sickbay itself created in its execution namespace, and nothing else. */
export { markRule } from './mark-rule.ts';
export { markingTransport } from './marking-transport.ts';
export { mayRunAsProcess, PROCESS_MARK } from './process-mark.ts';
