import { escapeText, replaceUnsafe } from '../../model/text/escape-text.ts'

/**
 * A text in double quotes, as all three languages read it. What an editor does not show, or shows as other text, is escaped:
 * a reviewer has to see what a program compares. `beyond` writes one that has more than four digits.
 */
export function quotedText(text: string, beyond: (digits: string) => string): string {
  return replaceUnsafe(JSON.stringify(text), character => {
    const digits = (character.codePointAt(0) ?? 0).toString(16)
    return digits.length > 4 ? beyond(digits) : `\\u${digits.padStart(4, '0')}`
  })
}

/** What stands behind `\U` in Python and Go. */
export function eightDigits(digits: string): string {
  return `\\U${digits.padStart(8, '0')}`
}

/** The name of a flag as a comment of one line; undefined where nothing is left of it. */
export function commentText(name: string | undefined): string | undefined {
  const said = name?.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return said ? escapeText(said) : undefined
}
