/** A group of tests that need a server or program beside this process. Its name is also that of its vitest project. */
export interface Lane {
  readonly name: string;
  /** The environment variable that enables it. */
  readonly setting: string;
}

/** A real kube-apiserver with its etcd and controllers; the setting names the folder of their programs. */
export const controlPlaneLane: Lane = { name: 'control plane', setting: 'KUBEBUILDER_ASSETS' };

/** A cluster with nodes that run containers, which tests may break at will; the setting names its kubeconfig. */
export const clusterLane: Lane = { name: 'cluster', setting: 'SICKBAY_TEST_KUBECONFIG' };

/** Such a cluster with Tekton in it; the setting names the registry, without TLS, that Tekton gets its bundles from. */
export const tektonLane: Lane = { name: 'tekton', setting: 'SICKBAY_TEST_TEKTON_REGISTRY' };

/** A real Prometheus and a real Alertmanager, which each test starts for itself; the setting names the folder of their programs. */
export const monitoringLane: Lane = { name: 'monitoring', setting: 'SICKBAY_TEST_MONITORING' };

/** The Redfish emulator of sushy-tools, which each test starts for itself; the setting names its program. */
export const redfishLane: Lane = { name: 'redfish', setting: 'SICKBAY_TEST_REDFISH' };

/** A browser that tests look at the console with; the setting names the program of a Chromium. */
export const browserLane: Lane = { name: 'browser', setting: 'SICKBAY_TEST_CHROMIUM' };

/** A PostgreSQL server; the setting is the address of a database on it, with a user who may create others: each test makes its own. */
export const postgresLane: Lane = { name: 'postgres', setting: 'SICKBAY_TEST_POSTGRES' };

/** Every lane, for the closing summary. */
export const lanes: readonly Lane[] = [controlPlaneLane, clusterLane, tektonLane, monitoringLane, redfishLane, browserLane, postgresLane];
