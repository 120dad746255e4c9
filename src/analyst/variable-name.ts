const UPPER_SNAKE_CASE = /^[A-Z][A-Z0-9_]*$/;

/**
 * Whether a parameter may have this name: in UPPER_SNAKE_CASE, it can be a variable of every engine.
 * @example isVariableName('DRAIN_TIMEOUT') && !isVariableName('drain-timeout')
 */
export const isVariableName = (name: string): boolean => UPPER_SNAKE_CASE.test(name);
