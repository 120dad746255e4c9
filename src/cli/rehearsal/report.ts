import { wrap } from '../demo/wrap.ts';

/** One titled part of a report: a single text, or a list. */
export interface Section {
  readonly title: string;
  readonly texts: readonly string[];
  /** How the texts are marked where each is one item of a list. */
  readonly list?: 'bullets' | 'numbers';
}

const WIDTH = 13;

/** Sections below one another, titles on the left; those without a text are absent. Lines are broken to `columns`, where that is known. */
export const reportLines = (sections: readonly Section[], columns: number | undefined): readonly string[] =>
  sections.filter(({ texts }) => texts.length > 0).flatMap((section) => sectionLines(section, columns));

function sectionLines({ title, texts, list }: Section, columns: number | undefined): readonly string[] {
  return texts.flatMap((text, i) => {
    const mark = list === undefined ? '' : list === 'bullets' ? '- ' : `${i + 1}. `;
    const line = `${(i === 0 ? title : '').padEnd(WIDTH)}${mark}${oneLine(text)}`;
    return broken(line, columns, WIDTH + mark.length);
  });
}

/** The sentence above the sections. */
export const headline = (text: string, columns: number | undefined): readonly string[] => broken(oneLine(text), columns, 0);

const broken = (line: string, columns: number | undefined, hang: number): readonly string[] =>
  columns === undefined ? [line] : wrap(line, { width: columns, hang });

/** What objects, Events and logs say may span lines; as part of a report it must not look like lines of the report. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
