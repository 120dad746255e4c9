const UPPER_SNAKE_CASE = /^[A-Z][A-Z0-9_]*$/;

/**
 * Whether a parameter may have this name: in UPPER_SNAKE_CASE, it can be a variable of every engine.
 * @example isParameterName('DRAIN_TIMEOUT') && !isParameterName('drain-timeout')
 */
export const isParameterName = (name: string): boolean => UPPER_SNAKE_CASE.test(name);
