import { fromEnvironment } from '../../../api/index.ts'
import type { Declarations, Desired } from '../../../core/desired.ts'
import {
  asFarAsDeclared,
  evaluateAt,
  evaluatedFlag,
  evaluatedRecord,
} from '../../../core/tests/evaluate-declared.ts'
import { declarableKind, declarableKinds } from '../../../kinds/index.ts'
import { type Services, servicesOf } from '../../../model/connection/profile.ts'
import { hasTargeting } from '../../../model/kind.ts'
import { meantHint } from '../../../model/text/did-you-mean.ts'
import { isNameGlob } from '../../../model/text/name-glob.ts'
import type { EvaluatedFlagDocument } from '../../../report/document.ts'
import {
  type AnySubject,
  type EvaluatedFlag,
  type EvaluationOnServices,
  evaluationVerdict,
  KnownFlags,
} from '../../../targeting/index.ts'
import type { Repository, RepositoryFlags } from '../../connection/repository-settings.ts'
import { openSession, type Session, type SessionFlags } from '../../connection/session.ts'
import { CommandError, type ExitCode, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { type OutputFlags, print } from '../../host/output/output.ts'
import { addressesFitting, type Choice, onlyChosen } from '../../plan/target-filter.ts'
import { notePolicies, openRepository } from '../../repository/repository.ts'
import { answerOf } from './answer-of.ts'
import { type PersonFlags, readPerson } from './read-person.ts'

export interface EvaluateFlags
  extends RepositoryFlags,
    SessionFlags,
    OutputFlags,
    PersonFlags,
    Pick<Choice, 'owner'> {
  /** Whether the live flags are evaluated too. */
  readonly live?: boolean
  /** How the project matches true and false, which no list of flags tells. */
  readonly propertyMatchingVersion?: '1' | '2'
}

/** `vexil evaluate [FLAG]`: what somebody gets of what is declared, without asking the service unless `--live` says so. */
export async function runEvaluate(
  host: Host,
  named: string | undefined,
  flags: EvaluateFlags,
): Promise<ExitCode> {
  const repository = await openRepository(host, flags)
  notePolicies(host, repository.warnings, flags)
  const person = readPerson(flags, repository.groupTypes)
  const chosen = onlyChosen(repository.declarations, { owner: flags.owner })
  const declared = declaredFlags(chosen, named)
  const live = flags.live ? await readLiveFlags(host, flags, repository) : undefined
  const services = live?.services ?? servicesFor(host, flags, repository)
  const all = new KnownFlags(allDeclared(repository.declarations).map(evaluatedFlag))
  const evaluate = evaluator(host, person, services, flags)
  const told = declared.map(desired => {
    const flag = evaluatedFlag(desired)
    const ours = asFarAsDeclared(desired, evaluate(flag, all))
    return toldOf(flag, ours, live && liveOf(flag.key, live, evaluate, ours))
  })
  await print(host, flags, { is: 'evaluation', flags: told })
  return exitCode.done
}

function allDeclared({ desired }: Declarations): readonly Desired[] {
  return desired.filter(({ kind }) => hasTargeting(declarableKind(kind)))
}

function declaredFlags(declarations: Declarations, named: string | undefined): readonly Desired[] {
  const all = allDeclared(declarations)
  if (named === undefined) return all
  const found = all.filter(({ identity, address }) => identity === named || address === named)
  if (found.length > 0) return found
  if (isNameGlob(named)) return fitting(all, named)
  const keys = all.map(({ identity }) => identity)
  const listed =
    keys.length === 0 ? 'no flags are declared' : 'see `vexil validate` for the files that are read'
  throw new CommandError(
    `no flag ${JSON.stringify(named)} is declared here; ${meantHint(named, keys, listed)}`,
  )
}

function fitting(all: readonly Desired[], glob: string): readonly Desired[] {
  const addresses = new Set(
    addressesFitting(
      glob,
      all.map(({ address }) => address),
    ),
  )
  if (addresses.size === 0)
    throw new CommandError(`${JSON.stringify(glob)} fits no flag that is declared here`)
  return all.filter(({ address }) => addresses.has(address))
}

type Evaluate = (flag: EvaluatedFlag, flags: KnownFlags) => EvaluationOnServices

function evaluator(
  host: Host,
  person: AnySubject,
  services: Services,
  { propertyMatchingVersion }: EvaluateFlags,
): Evaluate {
  const version = propertyMatchingVersion && ({ 1: 1, 2: 2 } as const)[propertyMatchingVersion]
  const place = { now: host.runtime.now(), services, version }
  return (flag, flags) => evaluateAt(place, flag, person, flags)
}

/** The service that is meant, as a plan would take it; all of them where its answers are to tell. */
function servicesFor(host: Host, flags: EvaluateFlags, { connection, policy }: Repository): Services {
  const { stated, profile } = connection
  const variable = fromEnvironment(host.env, 'profile')
  return servicesOf([flags.profile ?? stated?.profile ?? variable ?? profile], policy.sdks)
}

interface LiveFlags {
  readonly byKey: ReadonlyMap<string, EvaluatedFlag>
  readonly known: KnownFlags
  readonly services: Services
}

async function readLiveFlags(host: Host, flags: EvaluateFlags, repository: Repository): Promise<LiveFlags> {
  const session = await openSession(host, flags, repository, { readOnly: true })
  try {
    const records: EvaluatedFlag[] = []
    for (const { name } of declarableKinds.filter(hasTargeting)) {
      for await (const record of session.client.list(name)) records.push(evaluatedRecord(record))
    }
    const byKey = new Map(records.filter(({ deleted }) => deleted !== true).map(flag => [flag.key, flag]))
    return { byKey, known: new KnownFlags(records), services: servicesSeen(session, repository) }
  } finally {
    await session.close()
  }
}

function servicesSeen(
  { client: { target }, connection: { profile: setting } }: Session,
  { policy }: Repository,
): Services {
  const isKnown = target.known === 'recognized' || setting !== 'auto'
  return servicesOf([isKnown ? target.profile : 'auto'], policy.sdks)
}

function liveOf(
  key: string,
  { byKey, known }: LiveFlags,
  evaluate: Evaluate,
  ours: EvaluationOnServices,
): EvaluatedFlagDocument['live'] {
  const flag = byKey.get(key)
  if (!flag) return { is: 'missing' }
  const theirs = evaluate(flag, known)
  const isOpen = ours.undecided !== undefined || theirs.undecided !== undefined
  return {
    is: isOpen ? 'not_known' : ours.value === theirs.value ? 'same' : 'differs',
    ...answerOf(flag.filters ?? null, theirs),
  }
}

function toldOf(
  flag: EvaluatedFlag,
  evaluation: EvaluationOnServices,
  live: EvaluatedFlagDocument['live'],
): EvaluatedFlagDocument {
  const { by, others } = evaluation
  return {
    flag: flag.key,
    verdict: evaluationVerdict(evaluation),
    ...answerOf(flag.filters ?? null, evaluation),
    by,
    others,
    ...(live ? { live } : {}),
  }
}
