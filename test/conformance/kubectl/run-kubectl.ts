import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { NAMESPACE } from './manifests.ts';
import type { Step } from './steps.ts';

/** What a command came to. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** kubectl for one server, with a home of its own. */
export interface Kubectl {
  run(step: Step): Promise<Outcome>;
  close(): Promise<void>;
}

export interface KubectlOptions {
  /** The program. */
  readonly program: string;
  /** The kubeconfig's text. */
  readonly kubeconfig: string;
}

const LONGEST_MS = 30_000;

/** Prepares kubectl for a server. */
export async function kubectlFor({ program, kubeconfig }: KubectlOptions): Promise<Kubectl> {
  const home = await mkdtemp(join(tmpdir(), 'sickbay-kubectl-'));
  const config = join(home, 'kubeconfig');
  const editor = join(home, 'editor');
  await writeFile(config, kubeconfig, { mode: 0o600 });
  await writeFile(editor, '#!/bin/sh\nsed -i "$SCRIPT" "$1"\n');
  await chmod(editor, 0o700);
  return {
    run: ({ run, input = [], edit = '' }) => {
      const args = ['--kubeconfig', config, '--namespace', NAMESPACE, ...words(run)];
      const env = { HOME: home, PATH: process.env['PATH'] ?? '', KUBE_EDITOR: editor, SCRIPT: edit };
      const text = input.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n');
      return new Promise((resolve) => {
        const child = execFile(program, args, { env, timeout: LONGEST_MS, maxBuffer: 64e6 }, (error, stdout, stderr) => {
          const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
          resolve({ code, stdout, stderr });
        });
        child.stdin?.on('error', () => {});
        child.stdin?.end(text);
      });
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}

/** Words of a command; single quotes hold some together. */
const words = (text: string): readonly string[] => [...text.matchAll(/(?:[^\s']+|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));
