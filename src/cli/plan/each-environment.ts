import { RateLimiter } from '../../api/index.ts'
import type { Change } from '../../core/change.ts'
import { Redaction } from '../../core/redaction.ts'
import type { Target } from '../../core/target.ts'
import { declarableKind } from '../../kinds/index.ts'
import { listNames, listSome } from '../../model/text/names.ts'
import type { EnvironmentsDocument, LocatedProblem, SingleDocument } from '../../report/document.ts'
import { groupEqual } from '../../report/line-text.ts'
import type { Flags, SeveralFlags } from '../command-options.ts'
import { CommandError, type ExitCode, exitCode, mostImportant } from '../host/exit-code.ts'
import { type Host, interruptible, type Several } from '../host/host.ts'
import type { Note } from '../host/log.ts'
import { isForPeople, present, print, startProgress } from '../host/output.ts'
import { type Chosen, chooseEnvironments } from '../repository/choose-environments.ts'
import { failureOf, logLine } from './failure.ts'
import { requireYes } from './run-record.ts'

/** A command that takes several environments, and hands over one document for each. */
export interface ForEach {
  readonly command: string
  /** Its arguments before the options. */
  readonly words: readonly unknown[]
  readonly flags: SeveralFlags
  readonly run: (host: Host, flags: Flags) => Promise<ExitCode>
}

/**
 * Runs a command for each selected environment, and prints one report. An environment that fails stops no
 * other one. The exit code is the most important one.
 */
export async function runForEach(host: Host, asked: ForEach): Promise<ExitCode> {
  const chosen = await chooseEnvironments(host, asked.flags)
  const [name] = chosen.names
  if (chosen.isOne && name !== undefined) return asked.run(host, { ...asked.flags, env: name })
  refuseForOne(asked)
  const run = (stopping: Host) => runAll(host, stopping, asked, chosen)
  // Each environment gets signals by itself; this host stops the question and those that have not begun.
  return asked.command === 'apply' ? interruptible(host, run) : run(host)
}

const [places, readings] = [
  ['baseUrl', 'project', 'organization'],
  ['stack', 'app', 'planJson'],
] as const
const forOne = [...places, ...readings, 'out', 'reviewed'] as const

/** Refuses what belongs to one environment. */
function refuseForOne({ command, words, flags }: ForEach): void {
  const given = forOne.find(name => flags[name] !== undefined)
  const option = given?.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const isSavedPlan = command === 'apply' && words.some(word => word !== undefined)
  const what = isSavedPlan ? 'a saved plan' : option && `--${option}`
  if (what !== undefined)
    throw new CommandError(`${what} is for one environment; name it with --env NAME`, exitCode.usage)
}

/** Limits the memory for what was read. The pace of each key limits the requests. */
const mostAtOnce = 8

/** One environment while the command runs. */
interface Part {
  readonly name: string
  notes: Note[]
  document?: SingleDocument
  code?: ExitCode
  hasChanges: boolean
  /** What it changes in its organization, which other environments may have too. */
  shared: readonly string[]
  ended?: Promise<void>
}

async function runAll(host: Host, stopping: Host, asked: ForEach, chosen: Chosen): Promise<ExitCode> {
  const { flags, command } = asked
  const parts = chosen.names.map((name): Part => ({ name, notes: [], hasChanges: false, shared: [] }))
  const slots = new RateLimiter({ parallelism: mostAtOnce, runtime: host.runtime })
  const made = new Map<string, unknown>()
  const ends = new Map<string, () => Promise<void>>()
  const onInterrupt = fannedOut(host.onInterrupt)
  const progress = startProgress(host, isForPeople(flags))
  let [waiting, ended] = [parts.length, 0]
  let refusal: unknown
  let arrive = () => {}
  const approval = new Promise<void>(resolve => {
    arrive = () => {
      waiting -= 1
      if (waiting === 0) resolve(askForAll())
    }
  })
  // The command reports it once, not each environment.
  approval.catch(error => {
    refusal = error
  })
  // Later, when each environment has got the signal.
  stopping.stop?.addEventListener('abort', () => queueMicrotask(() => writeNotes(host, parts)))
  try {
    for (const part of parts) part.ended = runIn(part)
    await Promise.all(parts.map(({ ended }) => ended))
  } finally {
    progress.stop()
    // What was opened last ends first.
    for (const end of [...ends.values()].reverse()) await end()
    if (refusal === undefined) writeNotes(host, parts)
  }
  if (refusal !== undefined) throw refusal
  const document = composed()
  await print(host, flags, document)
  return document.exitCode

  async function askForAll(): Promise<void> {
    progress.stop()
    stopping.stop?.throwIfAborted()
    writeNotes(host, parts)
    await present(stopping, flags, composed())
    if (isForPeople(flags)) stopping.stdout.write('\n')
    const changing = parts.filter(({ hasChanges }) => hasChanges).map(({ name }) => name)
    const question = `Apply these changes to ${listNames(changing, 'and')}?`
    if (changing.length > 0) await requireYes(stopping, 'apply', { ...flags, env: undefined }, question)
  }

  async function runIn(part: Part): Promise<void> {
    let [isPlanned, isRunning] = [false, false]
    const enter = async (stop: AbortSignal | undefined) => {
      await slots.enter(stop)
      isRunning = true
    }
    const leave = () => {
      if (isRunning) slots.leave()
      isRunning = false
    }
    const own = hostFor(part, async (changes, target, stop) => {
      part.hasChanges = changes.length > 0
      part.shared = sharedChanges(changes, target)
      isPlanned = true
      // Others make their plans while this one waits.
      leave()
      arrive()
      await untilStopped(approval, stop)
      const before = parts.slice(0, parts.indexOf(part))
      const first = before.filter(({ shared }) => shared.some(each => part.shared.includes(each)))
      await untilStopped(Promise.all(first.map(({ ended }) => ended)), stop)
      await enter(stop)
      return first.length > 0
    })
    try {
      await enter(stopping.stop)
      const { shard: _, ...others } = flags
      part.code = await asked.run(own, { ...others, env: part.name })
    } catch (error) {
      const failure = await failureOf(error)
      part.code = failure.exitCode
      part.document = failure
      if (failure.line !== undefined) logLine(own, failure.line, failure)
      if (error instanceof Error && !(error instanceof CommandError)) own.log.debug(error.stack ?? '')
    } finally {
      leave()
      ended += 1
      progress.update(`${ended} of ${parts.length} environments`)
      if (!isPlanned && command === 'apply') arrive()
    }
  }

  function hostFor(part: Part, approve: Several['approve']): Host {
    return quietHost(host, {
      onInterrupt,
      take: note => void part.notes.push(note),
      several: { approve, ...sharing(made, ends) },
      onDocument(document) {
        if (document.is !== 'environments') part.document = withoutUnused(document, flags)
      },
    })
  }

  function composed(): EnvironmentsDocument & { readonly exitCode: ExitCode } {
    return {
      is: 'environments',
      command,
      exitCode: mostImportant(parts.map(({ code = exitCode.done }) => code)),
      asked: chosen.asked,
      environments: parts.map(({ name, code = exitCode.done, document }) => ({
        name,
        exitCode: code,
        ...(document && { document }),
      })),
      problems: problemsOf(parts),
    }
  }
}

/** What runs share: results by name, and what is done at their end. */
export function sharing(
  made: Map<string, unknown>,
  ends: Map<string, () => Promise<void>>,
): Pick<Several, 'once' | 'atEnd'> {
  return {
    once<T>(name: string, run: () => T): T {
      if (!made.has(name)) made.set(name, run())
      // One name always stands for one type.
      return made.get(name) as T
    },
    atEnd(name, run) {
      if (!ends.has(name)) ends.set(name, run)
    },
  }
}

interface Quietly extends Pick<Host, 'onInterrupt'>, Required<Pick<Host, 'several' | 'onDocument'>> {
  readonly take: (note: Note) => void
}

/** A host for the command in one environment. It prints nothing, and hands over documents and messages. */
export function quietHost(host: Host, { onInterrupt, take, several, onDocument }: Quietly): Host {
  const seen = new Set<string>()
  // The settings of one environment must not hide values of another.
  const redaction = new Redaction(() => host.runtime.uniqueId())
  redaction.add(host.redaction.parts)
  const silent = { ...host.stdout, isTerminal: false, write() {} }
  return {
    ...host,
    stdout: silent,
    stderr: silent,
    log: host.log.collecting(note => {
      // A plan that is made again has the same notes.
      if (note.level === 'debug' || !seen.has(note.text)) take(note)
      seen.add(note.text)
    }),
    redaction,
    onInterrupt,
    several,
    onDocument,
  }
}

/** Two environments of one organization must not both create a plugin. */
function sharedChanges(changes: readonly Change[], { baseUrl, organizationId }: Target): readonly string[] {
  return changes
    .filter(({ kind }) => declarableKind(kind).scope === 'organization')
    .map(({ address }) => JSON.stringify([baseUrl, organizationId, address]))
}

/** Passes each signal to all environments, with one listener of the process: Node warns of many. */
export function fannedOut(onInterrupt: Host['onInterrupt']): Host['onInterrupt'] {
  const listeners = new Set<Parameters<Host['onInterrupt']>[0]>()
  let close: (() => void) | undefined
  return listener => {
    listeners.add(listener)
    close ??= onInterrupt(signal => {
      for (const each of [...listeners]) each(signal)
    })
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      close?.()
      close = undefined
    }
  }
}

async function untilStopped(promise: Promise<unknown>, stop: AbortSignal | undefined): Promise<void> {
  stop?.throwIfAborted()
  const stopped = new Promise<never>((_, reject) =>
    stop?.addEventListener('abort', () => reject(stop.reason), { once: true }),
  )
  await Promise.race([promise, stopped])
}

/** Only JSON shows the saved form of a plan. It would keep all that was read in memory. */
function withoutUnused(document: SingleDocument, { format, report = [] }: SeveralFlags): SingleDocument {
  const isUnused =
    'saved' in document && format !== 'json' && !report.some(name => name.toLowerCase().endsWith('.json'))
  if (!isUnused) return document
  const members = { ...Object.getOwnPropertyDescriptors(document), saved: { value: {}, enumerable: true } }
  // It has every member of the document.
  return Object.defineProperties({}, members) as SingleDocument
}

/** Writes the collected messages. As text, a message of several environments is written once. */
function writeNotes({ log }: Host, parts: readonly Part[]): void {
  const all = parts.flatMap(({ name, notes }) => notes.map(note => [name, note] as const))
  for (const part of parts) part.notes = []
  if (log.isJson)
    for (const [name, note] of all) log.writeNote({ ...note, fields: { ...note.fields, environment: name } })
  else
    for (const { one: note, names } of groupEqual(all)) {
      const start = note.text.startsWith('vexil: ') ? 'vexil: ' : ''
      const text = `${start}${listSome(names, 'and')}: ${note.text.slice(start.length)}`
      log.writeNote(names.length === parts.length ? note : { ...note, text })
    }
}

/** The problems of files, each once, with its environments unless all have it. */
function problemsOf(parts: readonly Part[]): readonly LocatedProblem[] {
  const all = parts.flatMap(({ name, document }) =>
    document && 'problems' in document ? document.problems.map(one => [name, one] as const) : [],
  )
  return groupEqual(all).map(({ one, names }) => {
    if (names.length === parts.length) return one
    const message = `in ${listSome(names, 'and')}, ${one.problem.message}`
    return { ...one, problem: { ...one.problem, message } }
  })
}
