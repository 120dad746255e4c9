import type { Covered } from './coverage.ts';

const inForms = (verb: string, ...forms: readonly string[]): readonly Covered[] => forms.map((form) => ({ verb, form }));

const PATCHES = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json'];
const METADATA = 'json;as=PartialObjectMetadata';

/** What a run must have seen to succeed and to be refused at least once, so that what is compared cannot become less unnoticed. */
export const WANTED: readonly Covered[] = [
  ...inForms('create', '-', 'json', 'yaml'),
  ...inForms('get', '-', 'yaml', METADATA),
  ...inForms('list', '-', 'yaml', `${METADATA}List`),
  ...inForms('watch', '-'),
  ...inForms('update', 'json', 'yaml'),
  ...inForms('patch', ...PATCHES),
  ...inForms('delete', '-', 'json', 'yaml'),
  ...inForms('delete many', '-', 'json'),
  ...inForms('get status', '-'),
  ...inForms('update status', 'json', 'yaml'),
  ...inForms('patch status', ...PATCHES),
  ...inForms('get scale', '-'),
  ...inForms('update scale', 'json'),
  ...inForms('patch scale', ...PATCHES),
];
