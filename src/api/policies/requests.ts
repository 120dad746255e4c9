import { RemediationRequest } from '../remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../well-known.ts';
import { CLEARED_BY_SELF } from './kept-blocks.ts';
import { celText, DRIVES, OVERRIDES, policy, WHO, type Policy } from './policy.ts';

const { cancel, cancelBy, requestedBy, overrideFreeze, overrideFreezeBy } = ANNOTATIONS;
const both = (annotation: string): string => `variables.before[?${celText(annotation)}] == variables.after[?${celText(annotation)}]`;
const isThere = (annotation: string): string => `${celText(annotation)} in variables.after`;

/** The user who requests or cancels a remediation, or lifts the suppression of its signals, records their own name. */
export const requestPolicy = (): Policy =>
  policy({
    name: 'sickbay-requests',
    kinds: [RemediationRequest],
    operations: ['CREATE', 'UPDATE'],
    variables: {
      before: `request.operation == 'CREATE' ? {} : oldObject.metadata.?annotations.orValue({})`,
      after: 'object.metadata.?annotations.orValue({})',
      drives: DRIVES,
      overrides: OVERRIDES,
    },
    rules: [
      {
        holds: `${isThere(cancel)} || !(${isThere(cancelBy)})`,
        otherwise: `'annotation ${cancelBy} says who cancelled: it goes with ${cancel}'`,
      },
      {
        holds: `!(${isThere(cancel)}) || !(${both(cancel)}) || ${both(cancelBy)}`,
        otherwise: `'annotation ${cancelBy} cannot change: the request was cancelled by ' + variables.before[?${celText(cancelBy)}].orValue('an unknown user')`,
      },
      {
        holds: `!(${isThere(cancel)}) || ${both(cancel)} || variables.after[?${celText(cancelBy)}].orValue('') == ${WHO}`,
        otherwise: `'annotation ${cancelBy} must be ' + ${WHO} + ', the user who makes the request'`,
      },
      {
        // The pipeline records requests for alerts, which no user requested.
        holds: `request.operation != 'CREATE' || (${isThere(requestedBy)} ? variables.after[${celText(requestedBy)}] == ${WHO} : variables.drives)`,
        otherwise: `'annotation ${requestedBy} must be ' + ${WHO} + ', the user who makes the request'`,
      },
      {
        holds: `request.operation != 'UPDATE' || ${both(requestedBy)}`,
        otherwise: `'annotation ${requestedBy} cannot change'`,
      },
      {
        holds: `(${isThere(overrideFreeze)}) == (${isThere(overrideFreezeBy)})`,
        otherwise: `'annotations ${overrideFreeze} and ${overrideFreezeBy} go together: the reason, and who gives it'`,
      },
      {
        holds: `!(${isThere(overrideFreeze)}) || (${both(overrideFreeze)} && ${both(overrideFreezeBy)}) || variables.overrides`,
        otherwise: `${WHO} + ' may not override change freezes: that takes the right to override-freeze remediationrequests.kubernaut.ai'`,
      },
      {
        holds: `!(${isThere(overrideFreeze)}) || (${both(overrideFreeze)} && ${both(overrideFreezeBy)}) || variables.after[${celText(overrideFreezeBy)}] == ${WHO}`,
        otherwise: `'annotation ${overrideFreezeBy} must be ' + ${WHO} + ', the user who makes the request'`,
      },
      CLEARED_BY_SELF,
    ],
  });
