import fc from 'fast-check'
import { rounds } from './rounds.ts'

/**
 * Properties draw the same values in every run, so that a red run is the fault of a change. Other values are a matter
 * of `VEXIL_TEST_SEED=123 npm test`; a failure prints the seed it came from.
 */
fc.configureGlobal({ seed: Number(process.env.VEXIL_TEST_SEED ?? 1), numRuns: rounds() })
