/**
 * How many private words the comments and tests of a room may still have. Texts that users see have none, and rooms that are not listed
 * have none: the list only gets shorter.
 */
export const WORDS_BACKLOG: Readonly<Record<string, number>> = {
  'src/apiserver': 11,
  'src/controllers/execution': 19,
  'src/controllers/machine-health': 46,
  'src/controllers/notification': 2,
  'src/controllers/remediation': 3,
  'src/testkit': 3,
  'src/testkit/assessment': 13,
  'src/testkit/awx': 10,
  'src/testkit/loop': 3,
  'src/testkit/machines': 53,
  'src/testkit/orchestrator': 7,
  'src/testkit/rivals': 1,
  'test/conformance': 14,
  'test/integration': 9,
};
