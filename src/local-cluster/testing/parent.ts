/** A process that runs a container and then hangs: the tests kill it to see what becomes of its child. */
import { silent } from '../../base/index.ts';
import { createProcessRunner } from '../kubelet/process-runner.ts';

const [program = '', port = ''] = process.argv.slice(2);
const runner = createProcessRunner({
  programs: { child: { command: () => [process.execPath, '-e', program], variables: new Set() } },
  env: { PORT: port },
  log: silent,
});
void runner.start(
  'pod-1',
  { name: 'child', image: 'child:1' },
  { namespace: 'default', name: 'default', pod: { name: 'run', uid: 'pod-1' } },
);
