import { valueName } from '../core/retirement.ts'
import { dayOf } from '../model/field.ts'
import { type RetireStep, retireSteps, type StepState } from '../model/removal.ts'
import { escapeText } from '../model/text/printable.ts'
import { columnsOf, padColumns } from '../model/text/text-layout.ts'
import type {
  EditDocument,
  LiveState,
  PulledEdits,
  RampedCondition,
  Retirement,
  StaleDocument,
  StaleFlag,
  StaleIn,
  StaleReason,
} from './document.ts'
import type { Piece } from './format.ts'
import { counted, placeOf, type Style } from './line-text.ts'

/** The changes of files for people: a diff of each file, and the list of written files. */
export function editPieces(
  { files, notes, isDryRun, next, ramp, pull, retire }: EditDocument,
  style: Style,
): readonly Piece[] {
  const diffs = files.map(({ diff }) => diffText(diff, style))
  const written = files.map(
    ({ path, removed = false }) => `${verbOf(removed, isDryRun)} ${escapeText(path)}\n`,
  )
  const hint = next === undefined ? '' : `Next: ${escapeText(next)}\n`
  const stateText = notes.map(note => `${escapeText(note)}\n`).join('')
  return [
    {
      text: `${diffs.join('')}${written.join('')}${ramp ? rampText(ramp) : ''}${pull ? pullText(pull) : ''}${retire ? retireText(retire, style) : ''}${hint}`,
    },
    ...(stateText === '' ? [] : [{ text: stateText, isBeside: true } as const]),
  ]
}

function verbOf(isRemoved: boolean, isDryRun: boolean): string {
  if (isRemoved) return isDryRun ? 'would remove' : 'removed'
  return isDryRun ? 'would write' : 'wrote'
}

function rampText({
  address,
  environment,
  condition,
  before,
  after,
  to,
  steps_left: stepsLeft,
}: RampedCondition): string {
  const where = escapeText(environment === null ? address : `${address} in ${environment}`)
  const what = `${where}: condition ${escapeText(condition)}`
  if (before === after) return `${what} is already at ${after}%\n`
  const left = stepsLeft === 0 ? '' : `; ${counted(stepsLeft, 'more step')} to ${to}%`
  return `${what} ${before}% -> ${after}%${left}\n`
}

function pullText({ liveEdits, leftOut }: PulledEdits): string {
  return liveEdits.length + leftOut.length === 0 ? 'no live edits to write into the files\n' : ''
}

function diffText(diff: string, style: Style): string {
  const lines = diff.replace(/\n$/, '').split('\n')
  return lines.map((line, index) => `${shownLine(line.replace(/\r$/, ''), index, style)}\n`).join('')
}

function shownLine(line: string, index: number, { bold, dim, good, bad }: Style): string {
  const shown = escapeText(line)
  if (index < 2) return bold(shown)
  if (line.startsWith('@@')) return dim(shown)
  if (line.startsWith('+')) return good(shown)
  return line.startsWith('-') ? bad(shown) : shown
}

const stepTexts: Readonly<Record<RetireStep, string>> = {
  decide: 'everybody gets the same value',
  code: 'not found in code',
  off: 'it is declared off',
  absent: 'it is declared absent',
  forget: 'no file declares it',
}

/** The progress of a removal for people: the steps, then what blocks it. */
function retireText(retirement: Retirement, style: Style): string {
  const { address, steps, environments, holds, unchecked } = retirement
  const isNow = holds.filter(({ now, allowed }) => now && !allowed)
  const later = holds.filter(({ now, allowed }) => !now && !allowed)
  const allowed = holds.filter(hold => hold.allowed)
  return [
    `${style.bold(escapeText(address))}\n`,
    ...environments.map(standingLine),
    ...steps.map(({ step, state }) => stepLine(step, state, style)),
    ...holdLines('blocked by', isNow, style),
    ...holdLines('blocking later steps', later, style),
    ...holdLines('allowed', allowed, style),
    ...(unchecked.length === 0
      ? []
      : [
          'not checked\n',
          ...unchecked.map(
            ({ environment, what, reason }) =>
              `  ${whereText(environment)}${escapeText(what)}: ${escapeText(reason)}\n`,
          ),
        ]),
  ].join('')
}

function standingLine({
  environment,
  declared,
  value,
  off_since: since,
}: Retirement['environments'][number]): string {
  const gives = value === null ? 'different or unknown values' : escapeText(valueName(value))
  const stateText = declared === 'absent' ? 'declared absent' : `gives ${gives}`
  const off = since === null ? '' : `, off since ${dayIn(since)}`
  return `  ${whereText(environment)}${stateText}${off}\n`
}

function stepLine(step: RetireStep, state: StepState, { bold, dim, good, bad, caution }: Style): string {
  const paint = { done: dim, unknown: caution, written: good, held: bad, later: dim }[state]
  const number = retireSteps.indexOf(step) + 1
  const name = state === 'written' || state === 'held' ? bold(step.padEnd(6)) : step.padEnd(6)
  return `  ${number} ${name}  ${paint(state.padEnd(7))}  ${stepTexts[step]}\n`
}

function holdLines(title: string, holds: Retirement['holds'], { dim }: Style): string[] {
  if (holds.length === 0) return []
  return [
    `${title}\n`,
    ...holds.map(({ environment, source, what, remedy }) => {
      const at = source ? `${escapeText(source.file)}:${source.line}:${source.column}  ` : ''
      return `  ${at}${whereText(environment)}${escapeText(what)}\n      ${dim(`to go on: ${escapeText(remedy)}`)}\n`
    }),
  ]
}

function whereText(environment: string | null): string {
  return environment === null ? '' : `${escapeText(environment)}: `
}

/** Stale flags, grouped by owner. Flags that are stale only in some environments come last. */
export function staleText(document: StaleDocument, style: Style): string {
  const { flags, now } = document
  const ready = flags.filter(isReady)
  const partly = flags.filter(flag => !isReady(flag))
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

/** The column of the positions. A longer key moves its position to the right. */
const keyColumns = 48

function isReady({ stale }: StaleFlag): boolean {
  return stale === 'everywhere'
}

/** The date part of a time in RFC 3339. */
function dayIn(time: string): string {
  return time.slice(0, 10)
}

function byOwner(flags: readonly StaleFlag[]): readonly (readonly [string, readonly StaleFlag[]])[] {
  const groups = new Map<string, StaleFlag[]>()
  for (const flag of flags) {
    const owner = flag.owners.length === 0 ? 'No owner' : escapeText(flag.owners.join(', '))
    groups.set(owner, [...(groups.get(owner) ?? []), flag])
  }
  return [...groups]
}

function flagText(flag: StaleFlag, now: number, style: Style): string {
  const { key, source, reasons, environments, next } = flag
  const widest = Math.max(...environments.map(({ environment }) => columnsOf(escapeText(environment ?? ''))))
  const lines = [
    `  ${padColumns(escapeText(key), keyColumns)}  ${style.dim(placeOf(source))}`,
    ...environments.flatMap(one => environmentLines(one, { widest, now, isReady: isReady(flag) })),
    ...reasons.map(reason => `      ${reasonText(reason)}`),
    ...(next === null ? [] : [style.dim(`      next: ${escapeText(next)}`)]),
  ]
  return lines.map(line => `${line}\n`).join('')
}

interface Beside {
  /** The width of the longest environment name. */
  readonly widest: number
  readonly now: number
  /** Whether the flag is stale in all its environments. */
  readonly isReady: boolean
}

function environmentLines({ environment, declared, reasons, live }: StaleIn, beside: Beside): string[] {
  const { widest, now, isReady } = beside
  const name = environment === null ? '' : `${padColumns(escapeText(environment), widest)}  `
  const lines = [
    ...reasons.map(reasonText),
    ...(reasons.length === 0 && !isReady ? [declared === 'absent' ? 'declared absent' : 'not stale'] : []),
    ...(live ? liveTexts(live, reasons, now) : []),
  ]
  return lines.map((words, index) => `      ${index === 0 ? name : ' '.repeat(columnsOf(name))}${words}`)
}

function reasonText({ reason, value, since }: StaleReason): string {
  const age = since ? ageText(since) : ''
  switch (reason) {
    case 'everyone':
      return `everybody gets ${value === true ? 'true' : `"${escapeText(String(value))}"`} ${age}`
    case 'nobody':
      return `nobody gets it ${age}`
    case 'gone':
      return `declared absent and deleted ${age}`
    case 'expired':
      return since ? `expired on ${dayOf(Date.parse(since.at) - 1)}, ${counted(since.days, 'day')} ago` : ''
    case 'uncalled':
      return `not called ${age}`
    case 'unreferenced':
      return 'not found in code'
  }
}

/** `since 2026-09-01, 83 days (commit 0123456789)`. */
function ageText({ at, days, at_least: isAtLeast, from, name }: NonNullable<StaleReason['since']>): string {
  const least = isAtLeast ? 'at least ' : ''
  const where = { commit: 'commit', run: 'run', trail: 'activity', service: '', declaration: '' }[from]
  const shown =
    name === undefined ? where : `${where} ${escapeText(from === 'commit' ? name.slice(0, 10) : name)}`
  const place = where === '' ? '' : ` (${shown})`
  return `since ${least}${dayIn(at)}, ${counted(days, 'day')}${place}`
}

function liveTexts(
  { there, value, differs, last_called_at: called }: LiveState,
  reasons: readonly StaleReason[],
  now: number,
) {
  const isUncalled = reasons.some(({ reason }) => reason === 'uncalled')
  const days = called === null ? 0 : Math.floor((now - Date.parse(called)) / 86_400_000)
  return [
    ...(differs ? [`the live value differs: ${there ? valueText(value) : 'the flag does not exist'}`] : []),
    ...(called === null || isUncalled ? [] : [`still called: ${dayIn(called)}, ${counted(days, 'day')} ago`]),
  ]
}

function valueText(value: LiveState['value']): string {
  if (value === null) return 'people may get different values'
  if (value === false) return 'nobody gets it'
  return `everybody gets ${value === true ? 'true' : `"${escapeText(value)}"`}`
}

function totalText(document: StaleDocument): string {
  const { flags, looked_at: count, permanent, days, environments, isPart, searched } = document
  const ready = flags.filter(isReady).length
  const partly = flags.length - ready
  const [environment] = environments
  return [
    `${ready} of ${counted(count, 'flag')} ${ready === 1 ? 'is' : 'are'} stale (--days ${days})`,
    ...(partly > 0 ? [`${partly} only in some environments`] : []),
    ...(permanent > 0 ? [`${permanent} permanent skipped`] : []),
    ...(isPart ? [`only ${escapeText(environment ?? '')} checked`] : []),
    ...(searched === null ? [] : [`${counted(searched, 'file')} searched`]),
  ].join(', ')
}
