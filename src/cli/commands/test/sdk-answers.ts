import type { Desired } from '../../../core/desired.ts'
import type { Redaction } from '../../../core/redaction.ts'
import type { RunTest } from '../../../core/tests/run-tests.ts'
import { type SdkVersions, servicesOf } from '../../../model/connection/profile.ts'
import type { AnswerMatrix } from '../../../report/document.ts'
import { sdkNamed } from '../../../services/engines.ts'
import { isVersionRange, notMeasured, sdkVersions } from '../../../services/sdk-versions.ts'
import { sdks } from '../../../services/sdks.ts'
import { answerText, newDisagreements, personText } from '../../../targeting/index.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'

/** A test as it came out in an environment. */
export interface RunIn {
  readonly desired: Desired
  readonly environment: string | null
  readonly run: RunTest
}

/** The SDKs that `--sdk` names, each with its version, or with the newest that was run. */
export function sdksAsked(asked: readonly string[]): SdkVersions {
  const named = asked.flatMap(each => (each === 'all' ? Object.keys(sdks) : [each]))
  return sdkVersions(
    Object.fromEntries(
      named.map(each => {
        const [, name = each, text = sdkNamed(name)?.newest ?? ''] = /^([^@]*)(?:@(.+))?$/.exec(each) ?? []
        const unknown = isVersionRange(text)
          ? notMeasured(name, text)
          : `${JSON.stringify(each)} names no version`
        if (unknown !== undefined && !sdkVersions({ [name]: text })[name]?.length)
          throw new CommandError(`--sdk: ${unknown}`, exitCode.usage)
        return [name, text]
      }),
    ),
  )
}

/** What the service and each SDK answer in every test, and why, where they do not answer the same. */
export function answerMatrix(runs: readonly RunIn[], redaction: Redaction): AnswerMatrix {
  const names = [...new Set(runs.flatMap(({ run }) => run.evaluation.sdks.map(({ by }) => by)))]
  const rows = runs.map(({ desired: { address }, environment, run: { test, evaluation } }) => {
    const { value, undecided, sdks } = evaluation
    const answers = names.map(name => sdks.find(({ by }) => by === name))
    return {
      address,
      environment,
      person: personText(test),
      service: undecided === undefined ? answerText(value) : 'undecided',
      sdks: answers.map(one => (one?.value === undefined ? (one ? 'asks' : '') : answerText(one.value))),
      differs: answers.some(one => one?.value !== undefined && one.value !== value),
    }
  })
  const differing = runs.filter((_, at) => rows[at]?.differs)
  const notes = new Map(
    differing.map(({ desired, run: { services } }) => [
      desired.address,
      newDisagreements(
        null,
        desired.fields.filters ?? null,
        servicesOf([services.at(-1)], services.sdks),
        redaction.of(desired)?.hides('values'),
      ),
    ]),
  )
  return { sdks: names, rows, notes: [...notes].map(([address, lines]) => ({ address, lines })) }
}
