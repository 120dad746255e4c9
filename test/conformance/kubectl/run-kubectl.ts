import { spawn, type ChildProcess } from 'node:child_process';
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
  run(step: Pick<Step, 'run' | 'input' | 'edit'>): Promise<Outcome>;
  /** Runs a command that never ends by itself until it has written so many lines. */
  follow(step: Pick<Step, 'run'>, lines: number): Following;
  close(): Promise<void>;
}

export interface Following {
  /** Resolves once the server has been asked. */
  readonly started: Promise<void>;
  readonly outcome: Promise<Outcome>;
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
  const start = (run: string, edit = ''): ChildProcess => {
    const env = { HOME: home, PATH: process.env['PATH'] ?? '', KUBE_EDITOR: editor, SCRIPT: edit };
    const child = spawn(program, ['--kubeconfig', config, '--namespace', NAMESPACE, ...words(run)], { env, timeout: LONGEST_MS });
    child.stdin?.on('error', () => {});
    return child;
  };
  return {
    run({ run, input = [], edit }) {
      const child = start(run, edit);
      child.stdin?.end(input.map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n'));
      return outcomeOf(child);
    },
    follow({ run }, lines) {
      // What kubectl does is told on its other stream, which is not compared then.
      const child = start(`${run} -v=6`);
      const written = { count: 0 };
      child.stdout?.on('data', (chunk: Buffer) => {
        written.count += chunk.toString().split('\n').length - 1;
        if (written.count >= lines) child.kill();
      });
      const started = new Promise<void>((resolve) => {
        child.stderr?.on('data', (chunk: Buffer) => chunk.includes('watch=true') && resolve());
        child.once('close', () => resolve());
      });
      return { started, outcome: outcomeOf(child).then(({ stdout }) => ({ code: 0, stdout, stderr: '' })) };
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}

function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => void (stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => void (stderr += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: -1, stdout, stderr: error.message }));
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}

/** Words of a command; single quotes hold some together. */
const words = (text: string): readonly string[] => [...text.matchAll(/(?:[^\s']+|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));
