import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { targetText } from '../target/index.ts';
import { describeTarget } from '../plan/remediation-plan.ts';

/** The resource that a request acts on: the one that its analysis found, and before that the one that its signal names. */
export const targetOf = ({ status, spec }: RemediationRequest) => status?.remediationTarget ?? spec.targetResource;

/** That resource as indexes, annotations and conditions name it. */
export const targetTextOf = (request: RemediationRequest): string => targetText(targetOf(request));

/** That resource for people. */
export const describeTargetOf = (request: RemediationRequest): string => describeTarget(targetOf(request));
