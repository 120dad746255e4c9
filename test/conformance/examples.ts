import type { Edit } from './edit.ts';
import type { Step } from './step.ts';

const written = (verb: 'create' | 'update', name: string, body: Step['body']): Step => ({
  verb,
  name,
  query: {},
  type: 'application/json',
  body: body!,
});

/** An object with one thing odd about it, written once more as it was shown. */
const writtenAgain = (edit: Edit): readonly Step[] => [
  written('create', 'a', { from: 'good', pick: 0, edits: [edit] }),
  written('update', 'a', { from: 'seen', edits: [] }),
];

/** Sequences that once showed a difference, by kind; each run begins with them. */
export const EXAMPLES: Readonly<Record<string, readonly (readonly Step[])[]>> = {
  // A list where a time belongs passes the schema, but not the rules that look at it (seed 20261115).
  RemediationRequest: [writtenAgain({ path: ['spec', 'firingTime'], value: [] })],
  AIAnalysis: [writtenAgain({ path: ['spec', 'timesOutAt'], value: ['x', 'x'] })],
  RemediationApprovalRequest: [writtenAgain({ path: ['spec', 'requiredBy'], value: ['x', 'x'] })],
  // The first deletion of a namespace says what becomes of dependents (seed 1).
  Namespace: [
    [
      written('create', '{{ns}}-a', { from: 'good', pick: 0, edits: [] }),
      { verb: 'delete', name: '{{ns}}-a', query: {}, type: 'application/json', body: { from: 'value', value: { orphanDependents: true } } },
    ],
  ],
};
