import { join } from 'node:path'
import { isJsonObject } from '../../src/model/text/json.ts'
import { shortOf } from '../../src/targeting/short/write-short.ts'
import { printFigures } from './print-figures.ts'
import { type Measured, measure, mediansOf } from './process.ts'
import { benchFlag, benchOrganization, writeRepository, writeWorld } from './repository.ts'
import { settingsOf, startStandIn } from './stand-in.ts'

const vexil = join(import.meta.dirname, '../../dist/vexil.cjs')
const parallelism = 8

/**
 * What the short form costs: the same flags written in it and as `filters`, checked and planned against a service that
 * has them. The ratios are those of the short form to `filters`.
 */
export async function benchShortForm(folder: string, count: number): Promise<void> {
  const world = join(folder, `short-world-${count}.json`)
  await writeWorld(world, count, benchOrganization)
  const whole = await writeRepository(join(folder, `whole-${count}`), count)
  const short = await writeRepository(join(folder, `short-${count}`), count, shortFlag)
  const standIn = await startStandIn('--world', world)
  const env = settingsOf(standIn, parallelism)
  const validate = (cwd: string) => () => measure([vexil, 'validate'], { cwd })
  const plan = (cwd: string) => async () => {
    const made = await measure([vexil, 'plan', '--detailed-exitcode'], { cwd, env })
    if (made.code !== 0) throw new Error(`the plan is not empty: ${made.stdout.slice(0, 500)}`)
    return made
  }
  try {
    const medians = await mediansOf(9, {
      validateWhole: validate(whole),
      validateShort: validate(short),
      planWhole: plan(whole),
      planShort: plan(short),
    })
    const { validateWhole, validateShort, planWhole, planShort } = medians
    printFigures(`validate ${count} flags in the short form`, ratios(validateShort, validateWhole))
    printFigures(`plan ${count} flags in the short form`, ratios(planShort, planWhole))
  } finally {
    await standIn.stop()
  }
}

function shortFlag(index: number): Readonly<Record<string, unknown>> {
  const { filters, ...others } = benchFlag(index)
  const short = shortOf(filters)
  if (!isJsonObject(short)) throw new Error(`flag ${index} of the bench has no short form`)
  return { ...others, ...short }
}

function ratios(short: Measured, whole: Measured): Record<string, number> {
  return {
    'cpu ms': short.cpuMs,
    'cpu of filters ms': whole.cpuMs,
    'cpu / filters': short.cpuMs / whole.cpuMs,
    'wall ms': short.wallMs,
    'wall of filters ms': whole.wallMs,
    'wall / filters': short.wallMs / whole.wallMs,
    'peak MB': short.peakMb,
  }
}
