import { entryOf } from '../../base/index.ts';
import type { AnswerForm } from '../../kube/client/transport.ts';
import { notAcceptable } from '../status-errors.ts';

/** The form and the media type of an answer. */
export interface Negotiated {
  readonly form: AnswerForm | undefined;
  readonly notation: Notation;
  /** Whether the form is for lists; undefined where it serves both. */
  readonly isList?: boolean;
}

export type Notation = 'json' | 'yaml';

const NOTATIONS: Readonly<Record<string, Notation>> = {
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
  'application/yaml': 'yaml',
};

const AGGREGATED: ReadonlySet<string> = new Set(['/api', '/apis', '/api/', '/apis/']);

/** What nearly every client accepts. */
const PLAIN: Negotiated = { form: undefined, notation: 'json' };

/** The first entry of an Accept header that can be served; throws 406 when there is none. Without a header any form is accepted. */
export function negotiate(path: string, header = '*/*'): Negotiated {
  if (header === 'application/json' || header === '*/*') return PLAIN;
  // A weight of zero, which should exclude a form, only puts it last, as on kube-apiserver.
  const ranges = header.split(',').map(readRange);
  // The sort is stable: of equal weight the first counts.
  for (const { type, parameters } of ranges.toSorted((a, b) => b.weight - a.weight)) {
    const notation = entryOf(NOTATIONS, type);
    if (notation === undefined) continue;
    if (parameters['as'] === undefined) return { form: undefined, notation };
    const form = formOf(path, parameters);
    if (form !== undefined) return { form, notation, ...listForm(form, parameters) };
  }
  // Only logs and health are plain text.
  if (ranges.some(({ type }) => type.startsWith('text/')) && isText(path)) return { form: undefined, notation: 'json' };
  throw notAcceptable();
}

const listForm = (form: AnswerForm, { as }: Parameters): Pick<Negotiated, 'isList'> =>
  form === 'metadata' ? { isList: as === 'PartialObjectMetadataList' } : {};

const isText = (path: string): boolean => /\/log$|^\/(?:healthz|livez|readyz)\/?$/.test(path);

type Parameters = Readonly<Record<string, string>>;

/** By `as`, `g` and `v`. */
const OBJECT_FORMS: Readonly<Record<string, AnswerForm>> = {
  'PartialObjectMetadata.meta.k8s.io/v1': 'metadata',
  'PartialObjectMetadataList.meta.k8s.io/v1': 'metadata',
  'Table.meta.k8s.io/v1': 'table',
};
const DISCOVERY_FORMS: Readonly<Record<string, AnswerForm>> = {
  'APIGroupDiscoveryList.apidiscovery.k8s.io/v2': 'discovery/v2',
  'APIGroupDiscoveryList.apidiscovery.k8s.io/v2beta1': 'discovery/v2beta1',
};

function formOf(path: string, { as = '', g = '', v = '' }: Parameters): AnswerForm | undefined {
  return entryOf(AGGREGATED.has(path) ? DISCOVERY_FORMS : OBJECT_FORMS, `${as}.${g}/${v}`);
}

interface Range {
  readonly type: string;
  readonly parameters: Parameters;
  readonly weight: number;
}

function readRange(text: string): Range {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = Object.fromEntries(rest.map((parameter) => parameter.split('=') as [string, string]));
  const { q = '1' } = parameters;
  return { type: type.toLowerCase(), parameters, weight: Number(q) };
}
