import { markedForm } from '../engine/engine-marks.ts'
import { notA, notKnown, type Reader } from './argument.ts'

/**
 * Reads what one of our classes made, by a member that it has and not by class: it may come from another copy of this
 * package. `later` says what to do with a reference in its place; without it a reference is as wrong as anything else.
 */
export function made<Value>(by: string, what: string, later?: string): Reader<Value> {
  return (value, name) => {
    if (later !== undefined && markedForm(value) !== undefined) throw notKnown(name, later)
    if (!has(value, by)) throw notA(what, value, name)
    // Nothing else of ours has that member.
    return value as Value
  }
}

/** Reads a list of them. The list has to be there when the stack is made; what is in its elements need not. */
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
