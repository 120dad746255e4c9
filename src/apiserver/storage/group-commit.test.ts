import { describe, expect, test } from 'vitest';
import { turn } from '../../base/index.ts';
import { GroupCommit } from './group-commit.ts';
import type { Row } from './sqlite-database.ts';
import type { StorageWrite } from './storage.ts';

const write = (revision: number): StorageWrite => ({ table: 't', key: `k${revision}`, revision });

/** A group that tells what was sent, and in which order its writers were answered. */
function rig() {
  const sent: (readonly number[])[] = [];
  const answers: string[] = [];
  const group = new GroupCommit((rows: readonly Row[]) => sent.push(rows.map(({ revision }) => revision)));
  const commit = (revision: number): void => {
    group.commit([write(revision)]).then(
      () => answers.push(`${revision} durable`),
      (error: Error) => answers.push(`${revision} ${error.message}`),
    );
  };
  return { sent, answers, group, commit };
}

describe('group commit', () => {
  test('what arrives in one turn is one batch', async () => {
    const { sent, answers, group, commit } = rig();
    for (const revision of [1, 2, 3]) commit(revision);
    expect(sent).toEqual([]);
    await turn();
    expect(sent).toEqual([[1, 2, 3]]);
    expect(answers).toEqual([]);
    group.committed();
    await turn();
    expect(answers).toEqual(['1 durable', '2 durable', '3 durable']);
  });

  test('in a long turn enough writes are sent before it is over, the rest after them', async () => {
    const { sent, answers, group, commit } = rig();
    const revisions = Array.from({ length: 20 }, (_, i) => i + 1);
    for (const revision of revisions) commit(revision);
    expect(sent).toEqual([revisions.slice(0, 8)]);
    await turn();
    expect(sent).toEqual([revisions.slice(0, 8)]);
    group.committed();
    expect(sent).toEqual([revisions.slice(0, 8), revisions.slice(8)]);
    group.committed();
    await turn();
    expect(answers).toEqual(revisions.map((revision) => `${revision} durable`));
  });

  test('while one batch is committed the next collects, and follows at once', async () => {
    const { sent, answers, group, commit } = rig();
    commit(1);
    await turn();
    commit(2);
    await turn();
    commit(3);
    await turn();
    expect(sent).toEqual([[1]]);
    group.committed();
    expect(sent).toEqual([[1], [2, 3]]);
    await turn();
    expect(answers).toEqual(['1 durable']);
    group.committed();
    await turn();
    expect(answers).toEqual(['1 durable', '2 durable', '3 durable']);
    commit(4);
    await turn();
    expect(sent).toEqual([[1], [2, 3], [4]]);
  });

  test('a failure refuses its batch and everything after it, in order', async () => {
    const { sent, answers, group, commit } = rig();
    commit(1);
    await turn();
    commit(2);
    group.refuse(new Error('disk full'));
    commit(3);
    await turn();
    expect(answers).toEqual(['1 disk full', '2 disk full', '3 disk full']);
    expect(sent).toEqual([[1]]);
    group.refuse(new Error('another'));
    commit(4);
    await turn();
    expect(answers.at(-1)).toBe('4 disk full');
  });

  test('a batch that was still waiting for its turn is refused and never sent', async () => {
    const { sent, answers, group, commit } = rig();
    commit(1);
    group.refuse(new Error('disk full'));
    await turn();
    expect(sent).toEqual([]);
    expect(answers).toEqual(['1 disk full']);
  });

  test('finishing lets what was asked for happen and takes nothing more', async () => {
    const { sent, answers, group, commit } = rig();
    commit(1);
    await turn();
    commit(2);
    let finished = false;
    const finishing = group.finish(new Error('closed')).then(() => (finished = true));
    commit(3);
    group.committed();
    await turn();
    expect(finished).toBe(false);
    group.committed();
    await finishing;
    expect(sent).toEqual([[1], [2]]);
    expect(answers).toEqual(['3 closed', '1 durable', '2 durable']);
  });

  test('finishing ends also when the last batch fails, and when there is none', async () => {
    const { group, commit } = rig();
    await group.finish(new Error('closed'));
    const failing = rig();
    failing.commit(1);
    const finishing = failing.group.finish(new Error('closed'));
    failing.group.refuse(new Error('disk full'));
    await finishing;
    expect(failing.answers).toEqual(['1 disk full']);
    commit(1);
  });

  test('an object goes as its text, a removal as none', async () => {
    const rows: Row[] = [];
    const group = new GroupCommit((sent) => rows.push(...sent));
    const object = { apiVersion: 'v1', kind: 'T', metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' } };
    void group.commit([{ ...write(1), object }, write(2)]);
    await turn();
    expect(rows.map(({ json }) => json)).toEqual([JSON.stringify(object), undefined]);
  });
});
