import { hash } from 'node:crypto'

/**
 * Where a person (or a group) falls between 0 and 1 for one flag: the first 15 hex digits of a SHA-1, divided by
 * the largest such number.
 *
 * The arithmetic is part of the answer: a different rounding would put somebody on the other side of a border. 15
 * hex digits are 60 bits, more than a double holds. The SDKs in Python divide an `int` by `float(0xfffffffffffffff)`
 * and those in JavaScript a parsed number by the literal; in both, the digits are first rounded to the nearest double
 * (ties to even) and 0xfffffffffffffff itself rounds to 2^60. Dividing by a power of two loses nothing, so both
 * languages agree to the last bit, and 1 itself can come out. Exact integer division would differ in that last bit.
 */
export function hashFraction(key: string, id: string, salt: '' | 'variant'): number {
  return fractionOfText(`${key}.${id}${salt}`)
}

/** Where a text falls between 0 and 1. */
export function fractionOfText(text: string): number {
  return fractionOf(hash('sha1', text).slice(0, 15))
}

/** 15 hex digits as a number from 0 to 1. */
export function fractionOf(digits: string): number {
  return Number(`0x${digits}`) / 2 ** 60
}
