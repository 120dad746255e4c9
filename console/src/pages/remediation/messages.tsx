import type { Remediation } from '../../../../src/server/contract/index.ts';
import { Panel } from '../../parts/panel.tsx';
import { Ago } from '../../parts/time.tsx';

/** The notifications, with every attempt to deliver them. */
export function Messages({ of }: { readonly of: Remediation['notifications'] }) {
  if (of.length === 0) return undefined;
  return (
    <Panel title="Notifications">
      <ul className="messages">
        {of.map(({ name, subject, phase, createdAt, attempts }) => (
          <li key={name}>
            <div>{subject}</div>
            <div className="dim">
              {phase} · <Ago at={createdAt} />
            </div>
            {attempts.map(({ channel, at, status, error }) => (
              <div key={`${channel} ${at}`} className="dim">
                {channel}: {status}
                {error !== undefined && `, ${error}`}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
