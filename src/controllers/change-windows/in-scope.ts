import { severityOf } from '../../api/parts/severity.ts';
import type { WindowScope } from '../change-window-settings.ts';
import type { ChangedThing } from './judge-change.ts';

/** Whether a window is about what is to be changed; `unknown` where that depends on labels that cannot be read. */
export function inScope({ namespaces, labels, severities }: WindowScope, thing: ChangedThing): 'yes' | 'no' | 'unknown' {
  if (namespaces && !namespaces.some((pattern) => matches(pattern, thing.namespace ?? ''))) return 'no';
  if (severities && !hasSeverity(severities, thing.severity)) return 'no';
  if (!labels) return 'yes';
  if (thing.labels.kind === 'unreadable') return 'unknown';
  const { value } = thing.labels;
  return Object.entries(labels).every(([name, wanted]) => value[name] === wanted) ? 'yes' : 'no';
}

/** A signal of unknown severity may have any. */
function hasSeverity(severities: readonly string[], severity: ChangedThing['severity']): boolean {
  return severity === 'unknown' || severities.some((one) => severityOf(one) === severity);
}

/** What has no namespace, such as a Node, is in no pattern. */
function matches(pattern: string, namespace: string): boolean {
  if (namespace === '') return false;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === namespace;
  if (!namespace.startsWith(first) || !namespace.endsWith(last) || namespace.length < first.length + last.length) return false;
  let left = namespace.slice(first.length, namespace.length - last.length);
  for (const part of rest) {
    const at = left.indexOf(part);
    if (at === -1) return false;
    left = left.slice(at + part.length);
  }
  return true;
}
