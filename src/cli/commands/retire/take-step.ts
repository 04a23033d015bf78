import type { Json } from '../../../model/json/json.ts'
import { filtersForEverybody, singleValue } from '../../../targeting/index.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { type DeclaredIn, valuesOf } from './declared-in.ts'
import { grantsLeft, meantIn, partsOf, type Retiring, standingsIn } from './retiring.ts'
import { editStep, releasing, removeStep, type SteppedFiles, saying } from './write-step.ts'

/** The files as the step leaves them; undefined where something holds it. */
export async function takeStep(host: Host, retiring: Retiring): Promise<SteppedFiles | undefined> {
  const { repository, all, progress, found, choice } = retiring
  const meant = meantIn(retiring)
  const { step, holding } = progress
  if (step === 'decide') return decide(host, retiring)
  const isHeld = holding.length > 0
  if (step === 'code') {
    const asked = found.standings
      .filter(({ declared }) => declared !== 'absent')
      .map(standing => standing.flag)
    const { expires } = choice
    return expires === undefined || holding.some(({ kind }) => kind !== 'reference')
      ? undefined
      : editStep(host, repository, { all, meant: asked }, saying({ expires }))
  }
  if (isHeld) return undefined
  switch (step) {
    case 'off':
      return editStep(host, repository, { all, meant }, saying({ active: false }))
    case 'absent':
      return editStep(
        host,
        repository,
        { all, meant },
        saying({ ensure: 'absent' }),
        grantsLeft(retiring).gone,
      )
    case 'forget':
      return removeStep(host, repository, partsOf(retiring))
  }
}

/** Gives everybody the value that the command line says, where nothing but that is open. */
async function decide(host: Host, retiring: Retiring): Promise<SteppedFiles | undefined> {
  const { repository, all, progress, choice } = retiring
  const { value } = choice
  if (value === undefined || progress.holding.some(({ kind }) => kind !== 'values')) return undefined
  const meant = meantIn(retiring)
  if (value === 'off') return editStep(host, repository, { all, meant }, saying({ active: false }))
  const filters = new Map(standingsIn(retiring).map(standing => [standing.flag, standing.filters ?? {}]))
  for (const [flag, each] of filters) requireValue(flag, each, value)
  const spellings = releasing(
    host,
    repository,
    value === 'on' ? undefined : value,
    each => filters.get(each) ?? {},
  )
  return editStep(host, repository, { all, meant }, spellings)
}

/** Refuses a value that the flag cannot give to everybody. */
function requireValue({ environment: { name } }: DeclaredIn, filters: Json, value: string): void {
  const there = name === undefined ? '' : ` in ${name}`
  const ways = valuesOf(filters)
  if (!ways.includes(value))
    throw new CommandError(
      `--value "${value}" is no value of the flag${there}; there are: ${ways.join(', ')}`,
      exitCode.usage,
    )
  const variant = value === 'on' ? undefined : value
  const given = singleValue({ filters: filtersForEverybody(filters, variant), active: true })
  if (given === undefined)
    throw new CommandError(
      `no conditions give everybody the same${there}: other parts of the product decide who gets it; end that there first`,
      exitCode.refused,
    )
}
