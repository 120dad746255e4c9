import type { Bundled } from './push-bundle.ts';

const IMAGE = 'sickbay.test/busybox:1';

const pipeline = (spec: object): Bundled => ({
  apiVersion: 'tekton.dev/v1',
  kind: 'Pipeline',
  metadata: { name: 'workflow' },
  spec,
});

const step = (name: string, script: string, env: readonly object[] = []) => ({ name, image: IMAGE, command: ['sh', '-c', script], env });

/** Three steps that leave a trail, whose result goes to a task that fails at its first try. */
export const ORDERED = pipeline({
  results: [{ name: 'TRAIL', value: '$(tasks.act.results.seen)' }],
  tasks: [
    {
      name: 'look',
      taskSpec: {
        results: [{ name: 'trail' }],
        steps: ['a', 'b', 'c'].map((letter) => step(letter, `printf ${letter} >> $(results.trail.path)`)),
      },
    },
    {
      name: 'act',
      retries: 1,
      params: [{ name: 'trail', value: '$(tasks.look.results.trail)' }],
      taskSpec: {
        params: [{ name: 'trail' }],
        results: [{ name: 'seen' }],
        steps: [
          step('try', '[ "$RETRY" = 1 ] || exit 1; sleep 4; printf "$TRAIL, at try $RETRY" > $(results.seen.path)', [
            { name: 'TRAIL', value: '$(params.trail)' },
            { name: 'RETRY', value: '$(context.task.retry-count)' },
          ]),
        ],
      },
    },
  ],
});

/** The second task fails, at its second step. */
export const FAILING = pipeline({
  tasks: [
    { name: 'look', taskSpec: { steps: [step('only', 'true')] } },
    { name: 'act', runAfter: ['look'], taskSpec: { steps: [step('first', 'true'), step('second', 'exit 3'), step('third', 'true')] } },
  ],
});

export const SLOW = pipeline({ tasks: [{ name: 'slow', taskSpec: { steps: [step('sleep', 'sleep 600')] } }] });

export const WITHOUT_IMAGE = pipeline({
  tasks: [{ name: 'pull', taskSpec: { steps: [{ ...step('only', 'true'), image: 'sickbay.test/missing:1' }] } }],
});

export const GREEDY = pipeline({
  tasks: [
    {
      name: 'grow',
      taskSpec: {
        steps: [{ ...step('only', 'sleep 1; x=a; while true; do x=$x$x; done'), computeResources: { limits: { memory: '24Mi' } } }],
      },
    },
  ],
});
