/**
 * The proposal's examples, with placeholders filled (versions, names in lower case, labels for `...`) and typing errors fixed
 * (`finalizers`, the blank after `apiVersion:`, tabs before `escalate`).
 */
export const FIRST_EXAMPLE = `
apiVersion: cluster.x-k8s.io/v1alpha3
kind: MachineHealthCheck
metadata:
  name: example
  namespace: machine-api
spec:
  selector:
    matchLabels:
      role: worker
  unhealthyConditions:
  - type:    "Ready"
    status:  "Unknown"
    timeout: "5m"
  - type:    "Ready"
    status:  "False"
    timeout: "5m"
  maxUnhealthy: "40%"
status:
  currentHealthy: 5
  expectedMachines: 5
`;

export const MHC_EXAMPLE = `
    kind: MachineHealthCheck
    apiVersion: cluster.x-k8s.io/v1alpha3
    metadata:
      name: remediation-group
      namespace: machine-api
    spec:
      selector:
        matchLabels:
          role: external
      externalRemediationTemplate:
        kind: Metal3RemediationTemplate
        apiVersion: remediation.metal3.io/v1alpha1
        name: m3-remediation-group
`;

export const TEMPLATE_EXAMPLE = `
    kind: Metal3RemediationTemplate
    apiVersion: remediation.metal3.io/v1alpha1
    metadata:
      name: m3-remediation-group
      namespace: machine-api
    spec:
      template:
        spec:
          strategy:               escalate
          deleteAfterRetries:     10
          powerOnTimeoutSeconds:  600
          powerOffTimeoutSeconds: 120
`;

/** UID stands for that of the Machine. */
export const EMR_EXAMPLE = `
    apiVersion: remediation.metal3.io/v1alpha1
    kind: Metal3Remediation
    metadata:
      name: name-of-unhealthy-machine
      namespace: machine-api
      finalizers:
      - remediation.metal3.io
      ownerReferences:
      - apiVersion: cluster.x-k8s.io/v1beta2
        kind: Machine
        name: name-of-unhealthy-machine
        uid: UID
    spec:
      strategy:               escalate
      deleteAfterRetries:     10
      powerOnTimeoutSeconds:  600
      powerOffTimeoutSeconds: 120
    status:
      phase: power-off
      retryCount: 1
`;
