import { APPLIED, BUILTINS, CUSTOM, CUSTOM_STATUSES, NAMESPACE, REQUEST, STATUSES } from './manifests.ts';

/** One command, given to both servers in turn. */
export interface Step {
  /** As in a shell, without `kubectl`; single quotes hold words together. */
  readonly run: string;
  /** What it reads from its standard input, as manifests. */
  readonly input?: readonly object[];
  /** What the editor does with the file: a sed script. */
  readonly edit?: string;
  /** `all` where absent; `subset` for lists where the real server has more; `code` where the words cannot be the same. */
  readonly compare?: 'all' | 'subset' | 'fields' | 'code';
  /** Lines that are left out of what is compared. */
  readonly omit?: RegExp;
  /** Why not everything is compared. */
  readonly reason?: string;
}

const say = (target: string, status: object): Step => ({
  run: `patch ${target} --subresource=status --type=merge -p '${JSON.stringify({ status })}' -o name`,
});

const SERVED = 'the real server serves more kinds';
const WORDS = 'descriptions of common fields are in our own words, those of built-in kinds are left out';

const SETTING_UP: readonly Step[] = [
  { run: `create namespace ${NAMESPACE}` },
  { run: 'create -f -', input: BUILTINS },
  { run: 'create -f -', input: CUSTOM },
  ...STATUSES.map(([target, status]) => say(target, status)),
  ...CUSTOM_STATUSES.map(([target, status]) => say(target, status)),
];

const DISCOVERING: readonly Step[] = [
  { run: 'version', compare: 'code', reason: 'versions differ' },
  { run: 'api-versions', compare: 'subset', reason: SERVED },
  { run: 'api-resources', compare: 'subset', reason: SERVED },
  { run: 'api-resources --api-group=kubernaut.ai -o wide' },
  { run: 'api-resources --categories=sickbay -o name' },
  { run: 'api-resources --api-group=apiextensions.k8s.io -o wide' },
  { run: 'explain remediationrequest', compare: 'fields', reason: WORDS },
  { run: 'explain rr.spec.targetResource' },
  { run: 'explain workflowexecution.status --recursive' },
  { run: 'explain mhc --api-version=cluster.x-k8s.io/v1beta1', compare: 'fields', reason: WORDS },
  { run: 'explain deployment', compare: 'fields', reason: WORDS },
  { run: 'explain deployment.spec.template.spec.containers', compare: 'fields', reason: WORDS },
  { run: 'explain pods.spec.nosuchfield' },
  { run: 'explain nosuchkind' },
  ...['configmap', 'secret', 'namespace', 'node', 'job', 'event', 'lease', 'replicaset', 'pod.status', 'crd.spec.versions'].map(
    (what): Step => ({ run: `explain ${what}`, compare: 'fields', reason: WORDS }),
  ),
];

const KINDS = ['pods', 'deployments', 'jobs', 'configmaps', 'secrets', 'leases', 'events', 'nodes'];

const READING: readonly Step[] = [
  ...KINDS.map((kind): Step => ({ run: `get ${kind}` })),
  ...KINDS.map((kind): Step => ({ run: `get ${kind} -o wide` })),
  { run: `get namespace ${NAMESPACE} -o wide` },
  { run: 'get crds' },
  { run: 'get crd remediationrequests.kubernaut.ai -o name' },
  { run: 'get sickbay' },
  { run: 'get sickbay -o wide' },
  { run: 'get sickbay -A -o name' },
  { run: 'get cluster-api --no-headers' },
  { run: 'get mhc.v1alpha3.cluster.x-k8s.io' },
  { run: `get rr ${REQUEST} -o yaml` },
  { run: `get rr/${REQUEST} -o json` },
  { run: 'get wfe -o name' },
  { run: `get rr ${REQUEST} -o jsonpath={.status.overallPhase}` },
  { run: 'get po -L app -l app=web --sort-by=.metadata.name' },
  { run: 'get pods -l app!=web' },
  { run: 'get pods -l app=( ' },
  { run: 'get pods --field-selector=status.phase=Running' },
  { run: 'get pods --field-selector=metadata.name=calm -o name' },
  { run: 'get pods --field-selector=nosuch=1' },
  { run: 'get pods --show-labels' },
  { run: 'get pods -o custom-columns=NAME:.metadata.name,PHASE:.status.phase' },
  { run: 'get pods --chunk-size=1' },
  { run: 'get cm settings -o yaml' },
  { run: 'get secret key -o json' },
  { run: 'get deploy web -o yaml' },
  { run: 'get job mend -o yaml' },
  { run: 'get lease leader -o yaml' },
  { run: 'get node node-1 -o yaml' },
  { run: 'get pod nosuch' },
  { run: 'get nosuch' },
  { run: 'get rr nosuch' },
  { run: 'get rr nosuch --ignore-not-found' },
  { run: 'get pods -n nosuch' },
  { run: 'get deploy,job,cm/settings', compare: 'code', reason: 'two forms cannot be mixed: kubectl refuses' },
  { run: 'get deploy,jobs' },
  { run: 'get --raw /readyz' },
  { run: 'get --raw /api/v1/namespaces/shop/configmaps/settings', compare: 'code', reason: 'managed fields are not kept' },
  { run: 'get --raw /apis/nosuch.example/v1', compare: 'code', reason: 'the real server answers with a page' },
  { run: 'events --for job/mend', compare: 'all' },
  ...[
    'pod calm',
    'pod busy',
    'pod ended',
    'deployment web',
    'job mend',
    'cm settings',
    'secret key',
    'node node-1',
    'lease leader',
    `rr ${REQUEST}`,
    'mhc',
    'crd actiontypes.kubernaut.ai',
  ].map((what): Step => ({ run: `describe ${what}` })),
  { run: `describe namespace ${NAMESPACE}`, omit: /^(No (resource quota|LimitRange resource)\.)?$/, reason: 'neither kind is served' },
  { run: 'describe pod nosuch' },
];

const CHANGING: readonly Step[] = [
  { run: 'create -f -', input: [APPLIED.fresh] },
  { run: 'create -f -', input: [APPLIED.fresh] },
  { run: 'delete cm applied' },
  { run: 'apply -f -', input: [APPLIED.fresh] },
  { run: 'apply -f -', input: [APPLIED.fresh] },
  { run: 'apply -f -', input: [APPLIED.changed] },
  { run: 'get cm applied -o yaml' },
  { run: 'apply -f - --dry-run=server', input: [APPLIED.fresh] },
  { run: 'diff -f -', input: [APPLIED.fresh], compare: 'code', reason: 'names of temporary files and server-side apply' },
  { run: 'apply view-last-applied cm applied' },
  { run: 'apply -f -', input: [APPLIED.deployment] },
  { run: 'get deploy web -o yaml' },
  { run: 'apply -f -', input: [APPLIED.custom] },
  { run: 'apply -f -', input: [APPLIED.customChanged] },
  { run: 'get actiontype applied -o yaml' },
  { run: 'apply -f -', input: [{ ...APPLIED.custom, spec: { name: 'Applied', description: 'x' } }] },
  { run: 'apply -f -', input: [{ ...APPLIED.custom, spec: { ...APPLIED.custom.spec, typo: 1 } }] },
  { run: 'apply -f - --validate=warn', input: [{ ...APPLIED.custom, spec: { ...APPLIED.custom.spec, typo: 1 } }] },
  { run: 'apply -f - --validate=false', input: [{ ...APPLIED.custom, spec: { ...APPLIED.custom.spec, typo: 1 } }] },
  { run: 'apply -f -', input: [{ ...APPLIED.changed, typo: 1 }] },
  { run: 'replace -f -', input: [APPLIED.fresh] },
  { run: 'patch cm applied -p \'{"data":{"z":"9"}}\'' },
  { run: 'patch cm applied --type=merge -p \'{"data":{"z":null}}\' -o yaml' },
  { run: 'patch cm applied --type=json -p \'[{"op":"replace","path":"/data/x","value":"7"}]\'' },
  { run: 'patch cm applied --type=json -p \'[{"op":"test","path":"/data/x","value":"8"}]\'' },
  { run: 'patch actiontype applied --type=strategic -p \'{"spec":{}}\'' },
  { run: 'patch actiontype applied --type=merge -p \'{"metadata":{"labels":{"b":"2"}}}\'' },
  { run: 'patch deploy web -p \'{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"registry.example/web:3"}]}}}}\'' },
  { run: 'get deploy web -o jsonpath={.spec.template.spec.containers[*].image}' },
  { run: 'set image deploy/web main=registry.example/web:4' },
  { run: 'edit cm applied', edit: 's/x: .*/x: edited/' },
  { run: 'edit cm applied', edit: 's/nothing/here/' },
  { run: 'edit actiontype applied', edit: 's/name: Applied/name: Edited/' },
  { run: 'label cm applied colour=red' },
  { run: 'label cm applied colour=blue' },
  { run: 'label cm applied colour=blue --overwrite' },
  { run: 'label cm applied colour-' },
  { run: 'label actiontype applied colour=red' },
  { run: 'annotate cm applied note=a' },
  { run: 'annotate rr --all note=b' },
  { run: 'scale deploy web --replicas=5' },
  { run: 'scale deploy web --replicas=1 --current-replicas=9' },
  { run: 'get deploy web -o jsonpath={.spec.replicas}/{.metadata.generation}' },
  { run: 'get deploy web --subresource=scale' },
  { run: 'get deploy web --subresource=scale -o yaml' },
  { run: 'scale deploy web --replicas=-1' },
  { run: 'scale cm applied --replicas=1' },
  { run: 'scale rr --all --replicas=1' },
  { run: 'get deploy web --subresource=status -o name' },
  { run: 'rollout status deploy/web --timeout=1s', compare: 'code', reason: 'what is waited for is told at different moments' },
  { run: 'rollout pause deploy/web' },
  { run: 'rollout resume deploy/web' },
  { run: 'rollout restart deploy/web' },
  { run: 'wait --for=condition=Ready pod/calm --timeout=5s' },
  { run: 'wait --for=condition=Ready pod/busy --timeout=1s' },
  { run: `wait --for=jsonpath={.status.overallPhase}=Completed rr/${REQUEST} --timeout=5s`, compare: 'all' },
  { run: 'wait --for=delete cm/nosuch --timeout=5s' },
  { run: 'create configmap made --from-literal=a=b' },
  { run: 'create secret generic made --from-literal=a=b' },
  { run: 'create job made --image=registry.example/job:1 -o name' },
  { run: 'create deployment made --image=registry.example/web:1 -o name' },
  { run: 'run made --image=registry.example/web:1' },
  { run: 'cordon node-1' },
  { run: 'get node node-1' },
  { run: 'taint node node-1 broken=yes:NoSchedule' },
  { run: 'uncordon node-1' },
  { run: 'logs calm' },
  { run: 'logs calm -c nosuch' },
  { run: 'logs nosuch' },
  { run: 'logs job/nosuch' },
  { run: 'logs ended -c helper --tail=5' },
];

/** What comes after everything else. */
export const DELETING: readonly Step[] = [
  { run: 'delete cm applied --dry-run=server' },
  { run: 'delete cm applied made' },
  { run: 'delete secret nosuch' },
  { run: 'delete secret nosuch --ignore-not-found' },
  { run: 'delete pod calm --now --wait=false' },
  { run: 'delete job mend --cascade=background' },
  { run: 'delete actiontypes --all' },
  { run: `delete rr ${REQUEST}` },
  { run: 'delete pods -l app=web --wait=false' },
  { run: 'delete deploy web --cascade=orphan --wait=false' },
  { run: 'delete crd actiontypes.kubernaut.ai --wait=false' },
  { run: 'delete node node-1' },
  { run: `delete namespace ${NAMESPACE} --wait=false` },
  { run: 'delete namespace kube-system --wait=false' },
];

/** In this order, since they build on each other. */
export const STEPS: readonly Step[] = [...SETTING_UP, ...DISCOVERING, ...READING, ...CHANGING];
