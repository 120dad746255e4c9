/** The workflow library: beside src/, since it is an image of its own, which holds no more than this. */
export const WORKFLOWS = 'workflows';

/** Which rooms of src/ a room may import from, besides itself. A room that is not listed here is an error. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  api: ['base', 'kube'],
  kube: ['base', 'api'],
  runtime: ['base', 'api', 'kube'],
  policy: ['base', 'api'],
  store: ['base', 'api'],
  scope: ['base', 'api', 'kube'],
  analyst: ['base', 'api', 'kube'],
  monitoring: ['base', 'kube'],
  'workload-clusters': ['base', 'api', 'kube'],
  redfish: ['base', 'monitoring'],
  controllers: ['base', 'api', 'kube', 'runtime', 'workload-clusters', 'scope', 'analyst', 'policy', 'store', 'monitoring', 'redfish'],
  // Of the controllers only their settings.
  config: ['base', 'api', 'kube', 'controllers'],
  // Knows no kind of ours: what it needs to know about them is passed in.
  apiserver: ['base', 'kube'],
  admission: ['base', 'api', 'kube', 'apiserver'],
  'local-cluster': ['base', 'api', 'kube', 'runtime', 'apiserver'],
  gateway: ['base', 'api', 'kube', 'runtime', 'scope', 'store'],
  server: ['base', 'api', 'kube', 'runtime', 'store'],
  simulation: ['base', 'api', 'kube', 'runtime', 'apiserver', 'local-cluster'],
  [WORKFLOWS]: ['base', 'api', 'kube'],
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
    'config',
    'apiserver',
    'admission',
    'local-cluster',
    'gateway',
    'server',
    'simulation',
    WORKFLOWS,
  ],
};

/** Only tests import it, and it may import everything. */
export const TESTKIT = 'testkit';
