import { env } from 'node:process'
import { isFull, suiteVariable } from '../suites.ts'

/** How often a law is tried, by the suite. Anything else, as CI and a run of single files, tries it 300 times. */
const roundsOf: Readonly<Record<string, number>> = { unit: 75, plain: 75, full: 1000, laws: 10_000 }

/**
 * How often a law is tried. This is the default of every property, so only a law with long rounds asks for it: `cost`
 * is about how many rounds of a pure function take as long as one of its own, 20 where a round runs commands.
 */
export function rounds(cost = 1): number {
  return Math.ceil((roundsOf[env[suiteVariable] ?? ''] ?? 300) / cost)
}

/** Variants with one result: all of them in a full run, else the first. For what starts processes for each. */
export function variants<Variant>(all: readonly Variant[]): readonly Variant[] {
  return isFull() ? all : all.slice(0, 1)
}
