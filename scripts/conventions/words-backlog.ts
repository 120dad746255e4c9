/**
 * How many private words the comments and tests of a room may still have. Texts that users see have none, and rooms that are not listed
 * have none: the list only gets shorter.
 */
export const WORDS_BACKLOG: Readonly<Record<string, number>> = {
  'src/admission': 18,
  'src/analyst': 22,
  'src/apiserver': 56,
  'src/controllers': 1,
  'src/controllers/analysis': 9,
  'src/controllers/approval': 4,
  'src/controllers/budget': 17,
  'src/controllers/effectiveness': 42,
  'src/controllers/execution': 324,
  'src/controllers/machine-health': 305,
  'src/controllers/narration': 31,
  'src/controllers/notification': 5,
  'src/controllers/remediation': 92,
  'src/controllers/signal-processing': 1,
  'src/controllers/target': 3,
  'src/testkit': 3,
  'src/testkit/assessment': 35,
  'src/testkit/awx': 22,
  'src/testkit/loop': 19,
  'src/testkit/machines': 129,
  'src/testkit/orchestrator': 40,
  'src/testkit/rivals': 17,
  'test/chart': 1,
  'test/conformance': 22,
  'test/integration': 69,
  'test/served': 2,
};
