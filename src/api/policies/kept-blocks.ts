import { Lease } from '../builtin/index.ts';
import { ANNOTATIONS, LABELS } from '../well-known.ts';
import { celText, policy, WHO, type Policy } from './policy.ts';

const { blockClearedBy, blockClearReason } = ANNOTATIONS;
const same = (annotation: string): string => `variables.before[?${celText(annotation)}] == variables.after[?${celText(annotation)}]`;

/** Where `before` and `after` are the annotations: the user who lifts a block or a suppression records their own name. */
export const CLEARED_BY_SELF = {
  holds:
    `!(${celText(blockClearedBy)} in variables.after) || (${same(blockClearedBy)} && ${same(blockClearReason)}) || ` +
    `variables.after[${celText(blockClearedBy)}] == ${WHO}`,
  otherwise: `'annotation ${blockClearedBy} must be ' + ${WHO} + ', the user who makes the request'`,
};

/** The user who lifts a block that the lock of a target keeps records their own name. Of all Leases only locks are checked. */
export const keptBlockPolicy = (): Policy =>
  policy({
    name: 'sickbay-kept-blocks',
    kinds: [Lease],
    operations: ['CREATE', 'UPDATE'],
    objectSelector: { matchExpressions: [{ key: LABELS.workflowExecutionUid, operator: 'Exists' }] },
    variables: {
      before: `request.operation == 'CREATE' ? {} : oldObject.metadata.?annotations.orValue({})`,
      after: 'object.metadata.?annotations.orValue({})',
    },
    rules: [CLEARED_BY_SELF],
  });
