import type { PolicyRule } from '../../kube/builtin/index.ts';
import { isObject } from '../../base/index.ts';
import { badRequest } from '../status-errors.ts';
import type { ReviewHandler } from './answer-review.ts';

/** SelfSubjectRulesReview: what may the sender do in this namespace? */
export const rulesReview: ReviewHandler = ({ authority }, { object, user }) => {
  const namespace = isObject(object.spec) && typeof object.spec.namespace === 'string' ? object.spec.namespace : '';
  if (namespace === '') throw badRequest('no namespace on request');
  const { rules, problems } = authority.authorizer.rules(user, namespace);
  return {
    ...object,
    spec: {},
    status: {
      resourceRules: rules.filter(({ resources }) => resources?.length).map(resourceRule),
      nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs?.length).map(pathRule),
      incomplete: false,
      ...(problems.length > 0 && { evaluationError: problems.length === 1 ? problems[0] : `[${problems.join(', ')}]` }),
    },
  };
};

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object => ({
  verbs,
  ...(apiGroups && { apiGroups }),
  ...(resources && { resources }),
  ...(resourceNames && { resourceNames }),
});

const pathRule = ({ verbs, nonResourceURLs }: PolicyRule): object => ({ verbs, nonResourceURLs });
