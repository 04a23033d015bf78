import { parse } from 'lossless-json'
import { type BigNum, numberFrom, respelled } from '../../hcl/json.ts'
import { isJsonArray, isJsonObject } from './json.ts'
import { pointerOf } from './pointer.ts'

/** A number that would be sent with another text than in the file: `2.10` as `2.1`. */
export interface RespelledNumber {
  readonly pointer: string
  readonly written: string
  readonly read: string
}

/**
 * The texts of numbers in a JSON text that may change when sent, by JSON pointer. Empty for JSON that a
 * program wrote, and for unreadable text.
 */
export function numbersAsWritten(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (!mayBeRespelled.test(text)) return found
  try {
    collect(
      parse(text, undefined, { parseNumber: source => new Written(source), onDuplicateKey: () => undefined }),
      '',
      found,
    )
  } catch {
    return new Map()
  }
  return found
}

/** The numbers that do change. */
export function respelledNumbers(text: string): RespelledNumber[] {
  return [...numbersAsWritten(text)].flatMap(([pointer, written]) => {
    const read = respelled(written, numberOf(written))
    return read === undefined ? [] : [{ pointer, written, read }]
  })
}

/** Trailing zeros, an exponent, or minus zero. */
const mayBeRespelled = /\.\d*0(?!\d)|\d[eE]|-0/

class Written {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

function numberOf(written: string): number | BigNum {
  try {
    return numberFrom(written)
  } catch {
    // The JSON reader refuses this number.
    return Number(written)
  }
}

function collect(value: unknown, pointer: string, found: Map<string, string>): void {
  if (value instanceof Written) found.set(pointer, value.source)
  else if (isJsonArray(value) || isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) collect(member, pointer + pointerOf(name), found)
  }
}
