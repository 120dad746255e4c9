import type { Stage } from './stage.ts';
import type { Course } from './book.ts';

/** The end of a request, as one text: what people are told about it. */
export function toldOf(stage: Stage, { request }: Course): string {
  const notes = stage.day.book.notifications(request.metadata.name).map(({ spec }) => `${spec.subject}\n${spec.body}`);
  return [request.status?.message ?? '', ...notes].join('\n');
}

const outcomeOf = ({ request }: Course): string => {
  const { overallPhase = '', outcome = '' } = request.status ?? {};
  return outcome === '' ? overallPhase : `${overallPhase}/${outcome}`;
};

/** The request of that number ends Remediated. */
export async function healed(stage: Stage, index = 0, seconds = 240): Promise<Course> {
  const course = await stage.untilEnded(index, seconds);
  stage.expect(`request ${index + 1} ended ${outcomeOf(course)}, not Remediated`, outcomeOf(course) === 'Completed/Remediated');
  return course;
}

/** A person is asked, within two and a half minutes of the first alert, and is told these things. */
export async function handedOver(stage: Stage, says: readonly RegExp[], index = 0): Promise<Course> {
  const course = await stage.untilEnded(index, 240);
  stage.expect(
    `request ${index + 1} ended ${outcomeOf(course)}, not ManualReviewRequired`,
    outcomeOf(course) === 'Completed/ManualReviewRequired',
  );
  const seconds = ((course.phases.at(-1)?.at ?? 0) - course.firstSeenAt) / 1_000;
  stage.expect(`the hand-over took ${seconds.toFixed(0)} s`, seconds <= 150);
  tells(stage, course, says);
  return course;
}

/** What people are told about its end matches these. */
export function tells(stage: Stage, course: Course, says: readonly RegExp[]): void {
  const text = toldOf(stage, course);
  for (const one of says) stage.expect(`no text says ${one.source}`, one.test(text));
}

/** Either healed, or handed over with these words: never muted. */
export async function healedOrHandedOver(stage: Stage, says: readonly RegExp[]): Promise<Course> {
  const course = await stage.untilEnded(0, 240);
  return outcomeOf(course) === 'Completed/Remediated' ? course : handedOver(stage, says);
}

/** Nothing else was opened for it. */
export function onlyRequests(stage: Stage, count: number): void {
  const courses = stage.courses();
  stage.expect(`${courses.length} requests instead of ${count}: ${courses.map(outcomeOf).join(', ')}`, courses.length === count);
}

/** Nothing is opened or asked within so many seconds. */
export async function staysQuiet(stage: Stage, seconds: number): Promise<void> {
  const count = (): number =>
    stage.courses().reduce((sum, { request }) => sum + 1 + stage.day.book.approvals(request.metadata.name).length, 0);
  const before = count();
  await stage.wait(seconds);
  stage.expect(`${count() - before} requests or approval requests more within ${seconds} s`, count() === before);
}

/** Every webhook was answered with 2xx. */
export function allAccepted(stage: Stage): void {
  const refused = stage.alerts().filter(({ code }) => code >= 300);
  const codes = [...new Set(refused.map(({ code, message }) => `${code} ${message}`))].join('; ');
  stage.expect(`${refused.length} alerts were answered with ${codes}`, refused.length === 0);
}
