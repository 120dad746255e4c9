import { describe, expect, test } from 'vitest';
import { offencesIn } from './offences.ts';
import { controllersMayImport } from './rooms.ts';

const messages = (path: string, text: string): readonly string[] => offencesIn({ path, text }).map((offence) => offence.message);

describe('import directions', () => {
  const cases = [
    { path: 'src/base/clock.ts', to: '../api/meta.ts', want: 'src/base may not import src/api', reason: 'base is the bottom' },
    { path: 'src/api/meta.ts', to: '../runtime/queue.ts', want: 'src/api may not import src/runtime', reason: 'upwards' },
    { path: 'src/kube/a.ts', to: '../runtime/index.ts', want: 'src/kube may not import src/runtime', reason: 'upwards' },
    {
      path: 'src/runtime/queue.ts',
      to: '../controllers/x/index.ts',
      want: 'src/runtime may not import src/controllers',
      reason: 'upwards',
    },
    {
      path: 'src/apiserver/a.ts',
      to: '../controllers/x/index.ts',
      want: 'src/apiserver may not import src/controllers',
      reason: 'a server room',
    },
    {
      path: 'src/apiserver/a.ts',
      to: '../api/index.ts',
      want: 'src/apiserver may not import src/api',
      reason: 'a server for any kind knows none of ours',
    },
    {
      path: 'src/apiserver/a.ts',
      to: '../admission/index.ts',
      want: 'src/apiserver may not import src/admission',
      reason: 'nor their rules',
    },
    {
      path: 'src/admission/a.ts',
      to: '../apiserver/index.ts',
      want: undefined,
      reason: 'the rules of our kinds use what the server offers',
    },
    {
      path: 'src/local-cluster/a.ts',
      to: '../controllers/x.ts',
      want: 'src/local-cluster may not import src/controllers',
      reason: 'a server room',
    },
    { path: 'src/gateway/a.ts', to: '../controllers/x.ts', want: 'src/gateway may not import src/controllers', reason: 'a server room' },
    { path: 'src/server/a.ts', to: '../controllers/x.ts', want: 'src/server may not import src/controllers', reason: 'a server room' },
    {
      path: 'src/simulation/a.ts',
      to: '../testkit/lanes.ts',
      want: 'only tests import src/testkit',
      reason: 'simulation is part of the product',
    },
    {
      path: 'src/cli/main.ts',
      to: '../testkit/lanes.ts',
      want: 'only tests import src/testkit',
      reason: 'the command line is part of the product',
    },
    {
      path: 'src/controllers/target/b/c.ts',
      to: '../../../cli/main.ts',
      want: 'src/controllers may not import src/cli',
      reason: 'deep paths resolve',
    },
    {
      path: 'src/kube/a.ts',
      to: '../../scripts/run.ts',
      want: 'src does not import scripts',
      reason: 'the product does not need its tools',
    },
    {
      path: 'workflows/rollback/run.ts',
      to: '../../src/runtime/reconcile/controller.ts',
      want: 'workflows may not import src/runtime',
      reason: 'its image holds only what workflows need',
    },
    {
      path: 'workflows/library.ts',
      to: '../scripts/run.ts',
      want: 'workflows does not import scripts',
      reason: 'nor the tools of the project',
    },
    {
      path: 'src/controllers/execution/a.ts',
      to: '../../../workflows/library.ts',
      want: 'src/controllers may not import workflows',
      reason: 'a controller knows workflows by the catalogue alone',
    },
    {
      path: 'src/server/a.ts',
      to: '../../console/build/sources.ts',
      want: 'src/server may not import console',
      reason: 'the server serves files, whatever built them',
    },
    {
      path: 'src/cli/process/a.ts',
      to: '../../../console/build/sources.ts',
      want: undefined,
      reason: 'the command line builds the console',
    },
    {
      path: 'src/attic/a.ts',
      to: './b.ts',
      want: 'src/attic has no line in scripts/conventions/rooms.ts',
      reason: 'a new room is a decision',
    },
    { path: 'src/runtime/queue.ts', to: '../base/index.ts', want: undefined, reason: 'downwards' },
    { path: 'src/cli/main.ts', to: '../controllers/x/index.ts', want: undefined, reason: 'the command line wires everything' },
    { path: 'src/kube/a.ts', to: './b.ts', want: undefined, reason: 'inside the room' },
    { path: 'src/kube/a.test.ts', to: '../testkit/lanes.ts', want: undefined, reason: 'a test' },
    { path: 'src/kube/testing/a.ts', to: '../../testkit/lanes.ts', want: undefined, reason: 'shared by the tests of a room' },
    { path: 'src/kube/a.test.ts', to: './testing/a.ts', want: undefined, reason: 'which only tests use' },
    { path: 'src/kube/a.ts', to: './testing/a.ts', want: 'only tests import src/kube/testing', reason: 'and nothing else' },
    { path: 'src/testkit/sample/a.ts', to: '../../simulation/a.ts', want: undefined, reason: 'the testkit may use everything' },
    { path: 'workflows/rollback/run.ts', to: '../../src/kube/client/client.ts', want: undefined, reason: 'what its image holds' },
    {
      path: 'src/cli/process/install.ts',
      to: '../../workflows/library.ts',
      want: undefined,
      reason: 'the command line installs the library',
    },
    { path: 'test/conformance/a.ts', to: '../../src/testkit/lanes.ts', want: undefined, reason: 'outside src' },
  ];
  test.each(cases)('$path → $to ($reason)', ({ path, to, want }) => {
    expect(messages(path, `import { a } from '${to}';`)).toEqual(want === undefined ? [] : [want]);
  });

  const fromServer = "'../../src/server/index.ts';";
  const onlyTypes = 'what runs in browsers imports only types from src: write `import type`';
  test('the console knows the server by its answers', () =>
    expect(messages('console/src/pages/a.tsx', "import type { A } from '../../../src/base/index.ts';")).toEqual([
      'console may not import src/base',
    ]));

  const consoleCases = [
    { text: `import type { Summary } from ${fromServer}`, want: [], reason: 'types are erased' },
    { text: `import { summary } from ${fromServer}`, want: [onlyTypes], reason: 'code of the server' },
    { text: `import { type Summary } from ${fromServer}`, want: [onlyTypes], reason: 'the import itself stays' },
    { text: `export * from ${fromServer}`, want: [onlyTypes], reason: 'an export is an import' },
    { text: `import {\n  a,\n} from ${fromServer}`, want: [onlyTypes], reason: 'over several lines' },
    { text: `import { a } from './a.ts';\nimport type { B } from ${fromServer}`, want: [], reason: 'each import by itself' },
    { text: "import { a } from '../../src/client/index.ts';", want: [], reason: 'the client runs in browsers too' },
  ];
  test.each(consoleCases)('the console: $text ($reason)', ({ text, want }) => expect(messages('console/src/a.tsx', text)).toEqual(want));

  test('the client imports only types from the server, as the console does', () => {
    expect(messages('src/client/a.ts', "import { a } from '../server/index.ts';")).toEqual([onlyTypes]);
    expect(messages('src/client/a.ts', "import type { A } from '../server/index.ts';")).toEqual([]);
    expect(messages('src/client/a.ts', "import { a } from './b.ts';")).toEqual([]);
  });

  test('every form of import counts, with its line', () => {
    const text = [
      "import '../runtime/a.ts';",
      "export * from '../runtime/b.ts';",
      "type A = import('../runtime/c.ts').A;",
      "const b = await import('../runtime/d.ts');",
    ];
    expect(offencesIn({ path: 'src/api/a.ts', text: text.join('\n') }).map((offence) => offence.line)).toEqual([1, 2, 3, 4]);
  });

  test('packages are not rooms', () => {
    expect(messages('src/base/a.ts', "import { readFileSync } from 'node:fs';")).toEqual([]);
  });
});

describe('import directions inside src/controllers', () => {
  const cases = [
    { path: 'src/controllers/target/a.ts', to: '../plan/index.ts', want: 'src/controllers/target may not import src/controllers/plan' },
    {
      path: 'src/controllers/approval/a.ts',
      to: '../remediation/b.ts',
      want: 'src/controllers/approval may not import src/controllers/remediation',
    },
    { path: 'src/controllers/remediation/undo/a.ts', to: '../../approval/index.ts', want: undefined },
    {
      path: 'src/controllers/remediation/undo/a.ts',
      to: '../../narration/index.ts',
      want: 'src/controllers/remediation may not import src/controllers/narration',
    },
    { path: 'src/controllers/target/a.ts', to: '../settings.ts', want: undefined },
    { path: 'src/controllers/settings.ts', to: './target/index.ts', want: 'src/controllers may not import src/controllers/target' },
    { path: 'src/controllers/target/a.test.ts', to: '../remediation/b.ts', want: undefined },
    { path: 'src/cli/a.ts', to: '../controllers/narration/index.ts', want: undefined },
  ];
  test.each(cases)('$path imports $to: $want', ({ path, to, want }) => {
    expect(messages(path, `import { x } from '${to}';`)).toEqual(want === undefined ? [] : [want]);
  });

  test('a room without a line in the table is an error', () =>
    expect(messages('src/controllers/unlisted/a.ts', '')).toEqual([
      'src/controllers/unlisted has no line in scripts/conventions/rooms.ts',
    ]));

  test('the table has no cycle but that of the three rooms that share the budget', () => {
    const sharesBudget = new Set(['execution', 'machine-owner', 'machine-remediation']);
    const reachable = (room: string, known: Set<string> = new Set()): ReadonlySet<string> => {
      for (const next of controllersMayImport[room] ?? [])
        if (!known.has(next) && !(sharesBudget.has(room) && sharesBudget.has(next))) reachable(next, known.add(next));
      return known;
    };
    for (const room of Object.keys(controllersMayImport)) expect([room, reachable(room).has(room)]).toEqual([room, false]);
  });
});

describe('file names', () => {
  const cases = [
    { path: 'src/kube/utils.ts', refused: true, reason: 'the whole name' },
    { path: 'src/kube/string-util.ts', refused: true, reason: 'part of the name' },
    { path: 'scripts/common.test.ts', refused: true, reason: 'tests too' },
    { path: 'src/kube/utilisation.ts', refused: false, reason: 'another word' },
  ];
  test.each(cases)('$path ($reason)', ({ path, refused }) => {
    expect(messages(path, '').length > 0).toBe(refused);
  });
});

describe('module scope', () => {
  const cases = [
    { text: 'let count = 0;', refused: true, reason: 'a variable' },
    { text: 'export let count = 0;', refused: true, reason: 'an exported variable' },
    { text: 'const count = 0;', refused: false, reason: 'a constant' },
    { text: 'function f() {\n  let count = 0;\n}', refused: false, reason: 'inside a function' },
  ];
  test.each(cases)('$reason', ({ text, refused }) => {
    expect(messages('src/kube/a.ts', text)).toEqual(refused ? ['module scope holds constants only'] : []);
  });
});
