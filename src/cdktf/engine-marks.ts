/**
 * What the engines put in the place of a value that is known only once a plan is made; the same in both of them.
 *
 * | in the place of | stands                                                |
 * |-----------------|-------------------------------------------------------|
 * | a text          | `${TfToken[...]}`, alone or in the middle of another  |
 * | a list          | a list of one text, `#{TfToken[...]}`                 |
 * | a map           | a map of one name, `&{TfToken[...]}`                  |
 * | a number        | an absurdly small one, between -1e298 and -1e289      |
 */

/** Whether a number stands for another one. */
export function isMarkedNumber(value: number): boolean {
  return value < smallestNumber
}

/** A number that counts as one that stands for another. */
export const markedNumber = -1e290

/** What is left of such a number where it was made text too early. */
export function markedNumberIn(text: string): string | undefined {
  return /-\d(?:\.\d+)?e\+(?:2[89]\d|30\d)(?!\d)/.exec(text)?.[0]
}

/** Whether a text has a mark of any kind. */
export function hasMark(text: string): boolean {
  return anyMark.test(text)
}

/** The same for one of which only the beginning may be left. */
export function hasBrokenMark(text: string): boolean {
  return /[$#&]\{TfToken\[/.test(text)
}

/** The pieces of a text in their order: the marks of texts at the odd places, what people wrote at the even ones. */
export function splitMarks(text: string): readonly string[] {
  return text.split(textMark)
}

/** A text with something else in the place of each mark. */
export function replaceMarks(text: string, by: string): string {
  return text.split(anyMark).join(by)
}

const smallestNumber = -1e280
const mark = String.raw`\{TfToken\[[\w:.-]+\]\}`
const anyMark = new RegExp(`[$#&]${mark}`)
const textMark = new RegExp(`(\\$${mark})`)
