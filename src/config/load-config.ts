import { readFile } from 'node:fs/promises';
import { messageOf } from '../base/index.ts';
import { parseConfig, type ParsedConfig } from './parse-config.ts';
import type { ConfigProblem } from './problem.ts';

/** As much as a ConfigMap may hold. */
const MOST_BYTES = 1_048_576;

/** The text of a config file, or why there is none. */
export type ConfigText =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'unreadable'; readonly problem: ConfigProblem };

/** Reads the text of a config file. */
export async function readConfigText(path: string): Promise<ConfigText> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MOST_BYTES) return unreadable(`has ${bytes.length} bytes: wants at most ${MOST_BYTES}`);
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    return unreadable(error instanceof TypeError ? 'is not text in UTF-8' : `cannot be read: ${messageOf(error)}`);
  }
}

const unreadable = (message: string): ConfigText => ({ kind: 'unreadable', problem: { message } });

/** Reads a config file: its settings, or everything that is wrong with it. Never throws. */
export async function loadConfig(path: string): Promise<ParsedConfig> {
  const read = await readConfigText(path);
  return read.kind === 'text' ? parseConfig(read.text) : { kind: 'refused', problems: [read.problem] };
}
