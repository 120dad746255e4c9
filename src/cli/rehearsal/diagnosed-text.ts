import { stringify } from 'yaml';
import type { Diagnosed } from '../../actions/index.ts';
import { rehearsalSections, wouldText } from './rehearsal-sections.ts';
import { headline, reportLines } from './report.ts';

/** The printed diagnosis. */
export function diagnosedText(diagnosed: Diagnosed, form: 'text' | 'json' | 'yaml', columns?: number): string {
  if (form === 'json') return JSON.stringify(diagnosed, undefined, 2);
  if (form === 'yaml') return stringify(diagnosed, { lineWidth: 0 }).trimEnd();
  const { target, named, catalogue } = diagnosed;
  const name = `${target.kind} ${target.namespace === undefined ? '' : `${target.namespace}/`}${target.name}`;
  const owner = named ? `${named.kind} ${named.name} belongs to ${name}. ` : '';
  const sections = [...rehearsalSections(diagnosed), { title: 'Catalogue', texts: catalogue.note === undefined ? [] : [catalogue.note] }];
  return [...headline(`${owner}${name}: ${wouldText(diagnosed)}.`, columns), '', ...reportLines(sections, columns)].join('\n');
}
