/** The workflow library: beside src/, since it is an image of its own, which holds no more than this. */
export const WORKFLOWS = 'workflows';

/** The web console: beside src/, since it runs in browsers. */
export const CONSOLE = 'console';

/** Rooms of which the console may import types only: their code does not run in browsers. */
const CONSOLE_TYPES: readonly string[] = ['api', 'server'];

/** The room whose code the console shares. It runs in browsers, so what it takes from the server are types too. */
export const CLIENT = 'client';

/** Which rooms of src/ a room may import from, besides itself. A room that is not listed here is an error. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  api: ['base', 'kube'],
  kube: ['base', 'api'],
  runtime: ['base', 'api', 'kube'],
  policy: ['base', 'api'],
  store: ['base', 'api'],
  scope: ['base', 'api', 'kube'],
  analyst: ['base', 'api', 'kube', 'scope'],
  monitoring: ['base', 'kube'],
  'workload-clusters': ['base', 'api', 'kube'],
  redfish: ['base', 'monitoring'],
  controllers: ['base', 'api', 'kube', 'runtime', 'workload-clusters', 'scope', 'analyst', 'policy', 'store', 'monitoring', 'redfish'],
  // What people do: for commands, and for the API by way of `cli`. What it rehearses begins with the gateway.
  actions: ['base', 'api', 'kube', 'runtime', 'scope', 'analyst', 'store', 'gateway', 'controllers'],
  // Of the controllers only their settings, and what is needed to check them.
  config: ['base', 'api', 'kube', 'controllers'],
  // Knows no kind of ours: what it needs to know about them is passed in.
  apiserver: ['base', 'kube'],
  admission: ['base', 'api', 'kube', 'apiserver'],
  'local-cluster': ['base', 'api', 'kube', 'runtime', 'apiserver'],
  gateway: ['base', 'api', 'kube', 'runtime', 'scope', 'store'],
  server: ['base', 'api', 'kube', 'runtime', 'store'],
  simulation: ['base', 'api', 'kube', 'runtime', 'apiserver', 'local-cluster'],
  [WORKFLOWS]: ['base', 'api', 'kube'],
  [CLIENT]: CONSOLE_TYPES,
  [CONSOLE]: [...CONSOLE_TYPES, CLIENT],
  cli: [
    'base',
    'api',
    'kube',
    'runtime',
    'policy',
    'store',
    'scope',
    'analyst',
    'monitoring',
    'workload-clusters',
    'redfish',
    'controllers',
    'actions',
    'config',
    'apiserver',
    'admission',
    'local-cluster',
    'gateway',
    'server',
    CLIENT,
    'simulation',
    WORKFLOWS,
    CONSOLE,
  ],
};

/** Only tests import it, and it may import everything. */
export const TESTKIT = 'testkit';

/**
 * Which rooms of src/controllers a room there may import from, besides itself. Files directly in src/controllers (settings, child names, retry
 * times, Events) may be imported by every room, and import none. A room that is not listed here is an error.
 *
 * The edges form no cycle but one: `execution`, `machine-owner` and `machine-remediation` share one budget, and each reads from the others only
 * when a claim of theirs has ended (`run-finished.ts`, `replacement-finished.ts`, `power-cycle-finished.ts`).
 */
export const controllersMayImport: Readonly<Record<string, readonly string[]>> = {
  target: [],
  budget: [],
  'change-windows': [],
  'signal-processing': ['target'],
  effectiveness: ['target'],
  notification: [],
  'machine-health': [],
  execution: ['target', 'budget', 'machine-owner', 'machine-remediation'],
  plan: ['target', 'execution'],
  analysis: ['target', 'plan'],
  approval: ['target', 'plan', 'execution'],
  remediation: ['target', 'plan', 'approval', 'effectiveness', 'execution', 'change-windows'],
  'machine-remediation': ['machine-health', 'budget', 'execution', 'machine-owner'],
  'machine-owner': ['machine-health', 'budget', 'execution', 'machine-remediation'],
  narration: ['target', 'execution'],
};
