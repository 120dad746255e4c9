import type { Rule } from '../schema/index.ts';

/**
 * Members that are different spellings of one thing: at most one may be there, so that no reader has to choose.
 * @example spelledOnce('maxUnhealthy', 'remediation.triggerIf.unhealthyLessThanOrEqualTo')
 */
export function spelledOnce(...paths: readonly string[]): Rule {
  const pairs = paths.flatMap((one, i) => paths.slice(i + 1).map((other) => `!(${isThere(one)} && ${isThere(other)})`));
  return { rule: pairs.join(' && '), message: `${paths.join(' and ')} say the same: give one of them` };
}

function isThere(path: string): string {
  const steps = path.split('.');
  return steps.map((_, i) => `has(self.${steps.slice(0, i + 1).join('.')})`).join(' && ');
}
