import type { RemediationSummary } from '../../../src/server/contract/index.ts';
import { severityLook, stateOf, type Look } from './looks.ts';

/** A word in a frame whose colour says how good it is. */
export function Tag({ look, children }: { readonly look: Look; readonly children: React.ReactNode }) {
  return (
    <span className="tag" data-look={look}>
      {children}
    </span>
  );
}

/** The state of a remediation. */
export function StateTag({ of }: { readonly of: Pick<RemediationSummary, 'phase' | 'outcome'> }) {
  const { text, look } = stateOf(of);
  return <Tag look={look}>{text}</Tag>;
}

export const SeverityTag = ({ severity }: { readonly severity: string }) => <Tag look={severityLook(severity)}>{severity}</Tag>;
