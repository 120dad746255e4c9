import { healed, onlyRequests, staysQuiet, tells, toldOf } from '../expectations.ts';
import type { Course } from '../book.ts';
import type { Fault } from '../fault.ts';
import { BAD, type Stage } from '../stage.ts';

const APP = 'checkout';

async function untilAsked(stage: Stage): Promise<Course> {
  await stage.open('production');
  await stage.deploy(APP);
  await stage.release(APP, BAD);
  return stage.untilPhase(0, ['AwaitingApproval'], 180);
}

const rejected: Fault = {
  name: 'rejected',
  expected: 'a person rejects: the same plan is not proposed again, also after the back-off',
  async run(stage) {
    const course = await untilAsked(stage);
    const answer = await stage.command('reject', course.request.metadata.name, '--reason', 'we fix it forward');
    stage.expect(`reject exited with ${answer.code}`, answer.code === 0);
    const ended = await stage.untilEnded(0, 60);
    tells(stage, ended, [/we fix it forward/]);
    await staysQuiet(stage, 130);
    await stage.release(APP, { ...BAD, env: [{ name: 'FIX', value: '1' }] });
    stage.say('another bad release: this is another plan');
    await stage.until('a new question', 150, () => stage.courses()[1]);
  },
};

const cancelled: Fault = {
  name: 'cancelled',
  expected: 'a person cancels: it is not reopened',
  async run(stage) {
    const course = await untilAsked(stage);
    await stage.cancel(course, 'not today');
    const ended = await stage.untilEnded(0, 60);
    stage.expect(`it ended ${ended.request.status?.overallPhase}, not Cancelled`, ended.request.status?.overallPhase === 'Cancelled');
    await staysQuiet(stage, 100);
    const late = await stage.approve(course);
    stage.expect('approving what was cancelled exits with 0', late.code !== 0);
  },
};

const preconditionNotMet: Fault = {
  name: 'exit-3',
  expected: 'a workflow whose precondition is not met changed nothing: it says so, and the target is not blocked',
  async run(stage) {
    const course = await untilAsked(stage);
    const approved = await stage.approve(course, '--workflow', 'raise-memory-limits', '--reason', 'try more memory');
    stage.expect(`approve exited with ${approved.code}: ${approved.output}`, approved.code === 0);
    const ended = await stage.untilEnded(0, 120);
    const text = toldOf(stage, ended);
    stage.expect('a text says that it may have changed something', !/may have changed/.test(text));
    const priorities = stage.day.book.notifications(ended.request.metadata.name).map(({ spec }) => spec.priority);
    stage.expect(`a Critical notification: ${priorities.join(', ')}`, !priorities.includes('Critical'));
    await stage.until('it goes on by itself after the back-off', 150, () => stage.courses()[1]);
  },
};

const waitsForNobody: Fault = {
  name: 'two-approvers',
  expected: 'a second approval of the same request is refused with the reason',
  async run(stage) {
    const course = await untilAsked(stage);
    await stage.approve(course);
    const second = await stage.approve(course);
    stage.expect(`the second approval exited with ${second.code}`, second.code !== 0);
    await healed(stage);
    onlyRequests(stage, 1);
  },
};

/** What people decide. */
export const PEOPLE: readonly Fault[] = [rejected, cancelled, preconditionNotMet, waitsForNobody];
