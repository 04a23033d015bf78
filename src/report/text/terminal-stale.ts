import { dayOf } from '../../model/tag-member.ts'
import { columnsOf, padColumns } from '../../model/text/columns.ts'
import { escapeText } from '../../model/text/escape-text.ts'
import type { LiveState, StaleDocument, StaleFlag, StaleIn, StaleReason } from '../document.ts'
import { counted, placeOf } from '../object-names.ts'
import { nextStep } from '../stale-members.ts'
import type { Style } from './style.ts'

/** Flags that have outlived their use, those of one owner together; then those that have so in some environments alone. */
export function staleText(document: StaleDocument, style: Style): string {
  const { flags, now } = document
  const ready = flags.filter(({ isReady }) => isReady)
  const partly = flags.filter(({ isReady }) => !isReady)
  const hasOwners = flags.some(({ owners }) => owners.length > 0)
  return [
    ...byOwner(ready).map(([owner, own]) => {
      const title = hasOwners ? `${style.bold(owner)}\n` : ''
      return `${title}${own.map(flag => flagText(flag, now, style)).join('')}`
    }),
    ...(partly.length === 0
      ? []
      : [
          `${style.bold('Not in every environment')}\n${partly.map(flag => flagText(flag, now, style)).join('')}`,
        ]),
    `${totalText(document)}\n`,
  ].join('\n')
}

/** Where the places begin; a longer key pushes its own to the right. */
const keyColumns = 48

function byOwner(flags: readonly StaleFlag[]): readonly (readonly [string, readonly StaleFlag[]])[] {
  const groups = new Map<string, StaleFlag[]>()
  for (const flag of flags) {
    const owner = flag.owners.length === 0 ? 'No owner' : escapeText(flag.owners.join(', '))
    groups.set(owner, [...(groups.get(owner) ?? []), flag])
  }
  return [...groups]
}

function flagText(flag: StaleFlag, now: number, style: Style): string {
  const { key, source, reasons, environments, isReady } = flag
  const widest = Math.max(...environments.map(({ environment = '' }) => columnsOf(escapeText(environment))))
  const next = nextStep(flag)
  const lines = [
    `  ${padColumns(escapeText(key), keyColumns)}  ${style.dim(placeOf(source))}`,
    ...environments.flatMap(one => environmentLines(one, { widest, now, isReady })),
    ...reasons.map(reason => `      ${reasonText(reason)}`),
    ...(next === null ? [] : [style.dim(`      next: ${escapeText(next)}`)]),
  ]
  return lines.map(line => `${line}\n`).join('')
}

interface Beside {
  /** The widest name of an environment. */
  readonly widest: number
  readonly now: number
  /** Whether the flag is stale wherever it is declared. */
  readonly isReady: boolean
}

function environmentLines({ environment, declared, reasons, live }: StaleIn, beside: Beside): string[] {
  const { widest, now, isReady } = beside
  const name = environment === undefined ? '' : `${padColumns(escapeText(environment), widest)}  `
  const told = [
    ...reasons.map(reasonText),
    ...(reasons.length === 0 && !isReady ? [declared === 'absent' ? 'to be absent' : 'not stale'] : []),
    ...(live ? liveTexts(live, reasons, now) : []),
  ]
  return told.map((words, index) => `      ${index === 0 ? name : ' '.repeat(columnsOf(name))}${words}`)
}

function reasonText({ reason, value, since }: StaleReason): string {
  const age = since ? ageText(since) : ''
  switch (reason) {
    case 'everyone':
      return `everybody gets ${value === true ? 'true' : `"${escapeText(String(value))}"`} ${age}`
    case 'nobody':
      return `nobody gets it ${age}`
    case 'gone':
      return `declared absent, and gone ${age}`
    case 'expired':
      return since ? `wanted until ${dayOf(since.at - 1)}, ${counted(since.days, 'day')} ago` : ''
    case 'uncalled':
      return `not called ${age}`
    case 'unreferenced':
      return 'no code names it'
  }
}

/** `since 2026-09-01, 83 days (commit 0123456789)`. */
function ageText({ at, days, isAtLeast, from, name }: NonNullable<StaleReason['since']>): string {
  const least = isAtLeast ? 'at least ' : ''
  const where = { commit: 'commit', run: 'run', trail: 'activity', service: '', declaration: '' }[from]
  const shown =
    name === undefined ? where : `${where} ${escapeText(from === 'commit' ? name.slice(0, 10) : name)}`
  const place = where === '' ? '' : ` (${shown})`
  return `since ${least}${dayOf(at)}, ${counted(days, 'day')}${place}`
}

function liveTexts(
  { isThere, value, differs, lastCalled }: LiveState,
  reasons: readonly StaleReason[],
  now: number,
) {
  const isTold = reasons.some(({ reason }) => reason === 'uncalled')
  const days = lastCalled === undefined ? 0 : Math.floor((now - lastCalled) / 86_400_000)
  return [
    ...(differs ? [`live it is not as declared: ${isThere ? valueText(value) : 'it is not there'}`] : []),
    ...(lastCalled === undefined || isTold
      ? []
      : [`still called: ${dayOf(lastCalled)}, ${counted(days, 'day')} ago`]),
  ]
}

function valueText(value: LiveState['value']): string {
  if (value === undefined) return 'people may get different values'
  if (value === false) return 'nobody gets it'
  return `everybody gets ${value === true ? 'true' : `"${escapeText(value)}"`}`
}

function totalText({ flags, count, permanent, days, environments, isPart, searched }: StaleDocument): string {
  const ready = flags.filter(({ isReady }) => isReady).length
  const partly = flags.length - ready
  const [environment] = environments
  return [
    `${ready} of ${counted(count, 'flag')} ${ready === 1 ? 'is' : 'are'} stale (--days ${days})`,
    ...(partly > 0 ? [`${partly} in some environments alone`] : []),
    ...(permanent > 0 ? [`${permanent} permanent left out`] : []),
    ...(isPart ? [`only ${escapeText(environment ?? '')} looked at`] : []),
    ...(searched === undefined ? [] : [`${counted(searched, 'file')} searched`]),
  ].join(', ')
}
