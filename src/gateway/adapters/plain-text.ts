const LONGEST_NAME = 253;

/** Whether a value can be the name of a signal: names stand in tables, conditions and messages, where control characters would obey a terminal. */
export const isPlainName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME && !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(value);
