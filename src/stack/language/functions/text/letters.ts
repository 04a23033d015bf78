import { elsewhere, unsupported } from '../../../../cty/invalid-value.ts'

/** Terraform maps each code point to one; where JavaScript makes several of it, the two do not agree. */
export function mapCharacters(value: string, form: (character: string) => string): string {
  return Array.from(value, character => mapCharacter(character, form)).join('')
}

function mapCharacter(character: string, form: (character: string) => string): string {
  const mapped = form(character)
  if ([...mapped].length === 1) return mapped
  throw unsupported(`the letter ${JSON.stringify(character)}`, elsewhere)
}

/** Each word with a capital: a letter that follows neither a letter nor a figure. */
export function titled(value: string): string {
  let isInWord = false
  return Array.from(value, character => {
    const isFirst = !isInWord
    isInWord = !isSeparator(character)
    return isFirst ? capital(character) : character
  }).join('')
}

function isSeparator(character: string): boolean {
  if (character <= '\x7f') return !/\w/.test(character)
  return /^[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(character)
}

/** For few letters the capital at the beginning of a word is another one. */
function capital(character: string): string {
  if (/[\u01c4-\u01cc\u01f1-\u01f3\u10d0-\u10ff]/.test(character))
    throw unsupported(`the letter ${JSON.stringify(character)}`, elsewhere)
  return mapCharacter(character, letter => letter.toUpperCase())
}
