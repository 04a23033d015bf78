import { variables } from '../api/settings.ts'
import type { Flags } from '../cli/command-options.ts'
import { validationOf } from '../cli/commands/validate.ts'
import { CommandError, exitCode, ProblemsError } from '../cli/host/exit-code.ts'
import type { Host, Signal, Stream } from '../cli/host/host.ts'
import {
  escapeBetweenColours,
  guardHost,
  learnKeys,
  learnPasswords,
  processesOf,
  redactAsAsked,
  systemUser,
} from '../cli/host/processes.ts'
import { type PlanFor, planFor } from '../cli/plan/make-plan.ts'
import { runChanges } from '../cli/plan/run-changes.ts'
import { revisionFor, withLock } from '../cli/plan/run-record.ts'
import { noteNothingDeclared, openRepository } from '../cli/repository/repository.ts'
import type { Repository as Declared } from '../cli/repository/repository-settings.ts'
import { openSession } from '../cli/repository/session.ts'
import { realRuntime } from '../core/real-runtime.ts'
import { writtenPlan } from '../core/record/plan-file.ts'
import { redactedPlan } from '../core/redaction.ts'
import { isSameTarget, targetText } from '../core/target.ts'
import type { Problem } from '../model/problem.ts'
import type { JsonObject } from '../model/text/json.ts'
import { escapeLines } from '../model/text/printable.ts'
import type {
  Document,
  Excerpt,
  LocatedProblem,
  PlanDocument,
  RunDocument,
  ValidationDocument,
} from '../report/document.ts'
import { formats, render } from '../report/formats.ts'
import type {
  Applied,
  ApplyOptions,
  LoadOptions,
  Planned,
  PlanOptions,
  ProgramSurroundings,
  Rendered,
  Repository,
} from './public-interface.ts'

/** Checks all declarations for all environments, and returns all problems, without the service. */
export async function validate(options: LoadOptions = {}): Promise<Rendered<ValidationDocument>> {
  const host = await hostOf(options)
  return throwingNoKeys(host, async () => rendered(host, await validationOf(host, flagsOf(options))))
}

/** Reads a repository. Throws a `ProblemsError` with all problems, if there are any. */
export async function load(options: LoadOptions = {}): Promise<Repository> {
  const host = await hostOf(options)
  return throwingNoKeys(host, () => repositoryOf(host, flagsOf(options)))
}

async function hostOf(options: LoadOptions): Promise<Host> {
  const host = await programHost(options)
  redactAsAsked(host, options.redact, 'redact')
  return host
}

async function repositoryOf(host: Host, flags: Flags): Promise<Repository> {
  const declared = await openRepository(host, flags, { policiesWarn: false })
  noteNothingDeclared(host, declared)
  const { directory, environment, declarations, warnings } = declared
  return {
    directory,
    environment,
    addresses: declarations.desired.map(({ address }) => address),
    warnings: warnings.length,
    plan: (choice = {}) => throwingNoKeys(host, () => planOf(host, flags, declared, choice)),
  }
}

async function planOf(
  host: Host,
  flags: Flags,
  declared: Declared,
  { allow, prune, targets, owners }: PlanOptions,
): Promise<Planned> {
  const session = await openSession(host, flags, declared, { readOnly: true })
  try {
    const made = await planFor(host, session, declared, { allow, prune, target: targets, owner: owners })
    const { plan, meta } = made
    const document: PlanDocument = {
      is: 'plan',
      plan: redactedPlan(plan, host.redaction),
      meta,
      get saved() {
        return savedAs(host, made)
      },
    }
    return {
      ...rendered(host, document),
      plan,
      apply: (options = {}) => throwingNoKeys(host, () => applyPlan(host, flags, declared, made, options)),
    }
  } finally {
    await session.close()
  }
}

/** The plan as it would be saved: without hidden values, with salted digests. */
function savedAs({ redaction }: Host, { plan, meta, scope }: PlanFor): JsonObject {
  return writtenPlan(plan, meta, { redaction, scope: scope() })
}

async function applyPlan(
  host: Host,
  flags: Flags,
  declared: Declared,
  made: PlanFor,
  { signal, allOrNothing, onEvent }: ApplyOptions,
): Promise<Applied> {
  const { meta } = made
  const { changes, blocked, liveEdits, unchanged } = made.plan
  const session = await openSession(host, flags, declared, { readOnly: false })
  try {
    // The environment variables may have changed since.
    if (!isSameTarget(session.target, meta.target)) {
      const planned = targetText(meta.target)
      throw new CommandError(`this plan is only for ${planned}; plan again`, exitCode.stale)
    }
    const ended: RunDocument[] = []
    const code = await withLock(signal ? stoppedBy(host, signal) : host, session, declared, 'apply', held =>
      runChanges(held, session, {
        command: 'apply',
        plan: { changes, blocked, liveEdits },
        unchanged: unchanged.length,
        place: declared,
        planDigest: String(savedAs(host, made).digest),
        scope: made.scope(),
        allOrNothing,
        ...revisionFor(meta),
        flags: {},
        follow: { event: event => onEvent?.(event), end: run => void ended.push(run) },
      }),
    )
    const [document] = ended
    if (document === undefined) throw new Error('a run ended without a result document')
    return { ...rendered(host, document), exitCode: code }
  } finally {
    await session.close()
  }
}

function flagsOf({ environment, stack, app, connection = {} }: LoadOptions) {
  const { parallelism, ...place } = connection
  return {
    env: environment,
    stack: typeof stack === 'string' ? [stack] : stack,
    app,
    ...place,
    ...(parallelism === undefined ? {} : { parallelism: String(parallelism) }),
  }
}

function rendered<Is extends Document>({ secrets }: Host, document: Is): Rendered<Is> {
  return {
    document,
    async render(format = 'text', view = {}) {
      // Programs in JavaScript are not type-checked.
      if (!Object.hasOwn(formats, format)) {
        const words = `"${format}" is not a format; there are: ${Object.keys(formats).join(', ')}`
        throw new CommandError(words, exitCode.usage)
      }
      const text = secrets.hide(await render(format, document, view))
      return view.isColourful ? escapeBetweenColours(text) : escapeLines(text)
    },
  }
}

/**
 * Runs something for a program, and removes keys from its errors, since a program may print them anywhere.
 * Errors of the client never contain keys.
 */
async function throwingNoKeys<T>({ secrets }: Host, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const details = error instanceof ProblemsError ? [error.problems, error.shown] : []
    if (!secrets.isIn(JSON.stringify([error.message, details]))) throw error
    throw withoutKeys(error, secrets.hide)
  }
}

type Hide = (text: string) => string

function withoutKeys(error: CommandError, hide: Hide): CommandError {
  const message = hide(error.message)
  if (!(error instanceof ProblemsError)) return new CommandError(message, error.code)
  const problems = error.problems.map(problem => problemWithout(problem, hide))
  const shown = error.shown.map(problem => shownWithout(problem, hide))
  return new ProblemsError(message, problems, shown)
}

function problemWithout(problem: Problem, hide: Hide): Problem {
  const { message, hint, source, address } = problem
  return {
    ...problem,
    message: hide(message),
    ...(hint === undefined ? {} : { hint: hide(hint) }),
    ...(source === undefined ? {} : { source: { ...source, file: hide(source.file) } }),
    ...(address === undefined ? {} : { address: hide(address) }),
  }
}

function shownWithout({ problem, path, excerpt }: LocatedProblem, hide: Hide): LocatedProblem {
  return {
    problem: problemWithout(problem, hide),
    ...(path === undefined ? {} : { path: hide(path) }),
    ...(excerpt === undefined ? {} : { excerpt: excerptWithout(excerpt, hide) }),
  }
}

function excerptWithout({ line, before }: Excerpt, hide: Hide): Excerpt {
  return { line: hide(line), ...(before === undefined ? {} : { before: hide(before) }) }
}

/** The host for a program that uses Vexil: no questions, no output, and notes are passed to it. */
async function programHost({ directory, env, onNote }: ProgramSurroundings): Promise<Host> {
  const host = guardHost({
    arguments: [],
    env: env ?? process.env,
    directory: directory ?? process.cwd(),
    userName: systemUser(),
    stdout: { write: () => undefined, isTerminal: false },
    stderr: linesTo(onNote ?? (() => undefined)),
    ask: undefined,
    readStdin: async () => new Uint8Array(),
    runtime: realRuntime,
    processes: processesOf({
      pid: process.pid,
      platform: process.platform,
      kill: (pid, signal) => process.kill(pid, signal),
    }),
    signalGroup: undefined,
    // Programs handle signals themselves, and stop a run with an AbortSignal.
    onInterrupt: () => () => undefined,
  })
  await learnKeys(host, variables.apiKey)
  learnPasswords(host)
  return host
}

/** The host of a run that the program can stop. Running requests finish and are recorded. */
function stoppedBy(host: Host, signal: AbortSignal): Host {
  return {
    ...host,
    onInterrupt(listener: (signal: Signal) => void) {
      let isListening = true
      const stop = () => {
        if (isListening) listener('SIGTERM')
      }
      // Later, because signals of a process never arrive while a listener is added.
      if (signal.aborted) queueMicrotask(stop)
      else signal.addEventListener('abort', stop, { once: true })
      return () => {
        isListening = false
        signal.removeEventListener('abort', stop)
      }
    },
  }
}

function linesTo(onLine: (line: string) => void): Stream {
  return {
    isTerminal: false,
    write(text) {
      for (const line of text.split('\n')) if (line !== '') onLine(line)
    },
  }
}
