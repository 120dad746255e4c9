import type { Remediation, RemediationSummary } from '../../../../src/server/contract/index.ts';
import { Command } from '../../parts/command.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Ago, Countdown } from '../../parts/time.tsx';

/** The commands that move it on, then the one that explains it. */
const commandsOf = (commands: readonly string[], { name, namespace }: RemediationSummary): readonly string[] => [
  ...commands,
  `sickbay explain ${name} -n ${namespace}`,
  `kubectl get remediationrequest ${name} -n ${namespace} -o yaml`,
];

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** Why it waits, and what moves it on. */
export function WhatNext({ of: { blocker, next, refusal, summary } }: { readonly of: Remediation }) {
  return (
    <Panel title={blocker ? 'Why it waits' : 'What happens next'} id="next">
      {blocker && (
        <p className="blocker">
          <strong>
            {blocker.state === 'unknown' ? `Whether ${blocker.gate} blocks it could not be read:` : `${blocker.gate} blocks it:`}
          </strong>{' '}
          {blocker.message}
          {blocker.object && (
            <>
              {' '}
              ({blocker.object.kind} <bdi>{blocker.object.name}</bdi>)
            </>
          )}
        </p>
      )}
      <p>
        {sentence(next.what)}
        {next.at !== undefined && (
          <>
            {' '}
            <Countdown at={next.at} />
          </>
        )}
      </p>
      {next.checkAgainAt !== undefined && (
        <p className="dim">
          Checked again <Ago at={next.checkAgainAt} />
        </p>
      )}
      {refusal && (
        <p className="dim">
          <bdi>{refusal.by}</bdi> refused it; the same plan is not proposed again before that ends: <Ago at={refusal.until} />
        </p>
      )}
      <details>
        <summary>Commands</summary>
        {commandsOf(next.commands, summary).map((text) => (
          <Command key={text} text={text} />
        ))}
      </details>
    </Panel>
  );
}
