import { markedForm } from '../engine/engine-marks.ts'
import { notA, notKnown, type Reader } from './argument.ts'

/**
 * Reads a value that one of our classes made. It checks for a member, since the class may come
 * from another copy of this package. `later` is the remedy for a reference; without it references are wrong.
 */
export function made<Value>(by: string, what: string, later?: string): Reader<Value> {
  return (value, name) => {
    if (later !== undefined && markedForm(value) !== undefined) throw notKnown(name, later)
    if (!has(value, by)) throw notA(what, value, name)
    // None of our other classes has that member.
    return value as Value
  }
}

/** Reads a list of them. The list is known when the stack is made; parts of its elements may be unknown. */
export function listOf<Value>(one: Reader<Value>, what: string, later: string): Reader<readonly Value[]> {
  return (value, name) => {
    if (markedForm(value) !== undefined) throw notKnown(name, later)
    if (!Array.isArray(value)) throw notA(what, value, name)
    return value.map((each, index) => one(each, `${name}[${index}]`))
  }
}

function has(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && markedForm(value) === undefined && name in value
}
