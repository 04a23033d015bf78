import { fromEnvironment } from '../../../api/settings.ts'
import { variables } from '../../../model/connection/variables.ts'
import type { ConnectionFlags } from '../../connection/resolve-connection.ts'
import { CommandError, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { askUntilStopped, canAsk } from '../../plan/approval.ts'

export type Place = Required<Pick<ConnectionFlags, 'baseUrl' | 'project' | 'organization'>>

export interface PlaceFlags extends Partial<Place> {
  /** commander's form of `--no-input`. */
  readonly input?: boolean
}

/** What has to be known of a service, in the order in which a person is asked for it. */
const asked = [
  {
    setting: 'baseUrl',
    option: '--base-url',
    question: 'Address of the service, such as https://us.posthog.com: ',
  },
  { setting: 'organization', option: '--organization', question: 'Id of the organization, a UUID: ' },
  { setting: 'project', option: '--project', question: 'Id of the project, a number: ' },
] as const

/**
 * The place of a service: what options and variables say of it, and what the person at the terminal says of the rest. The key is
 * never asked for, since it would stand on the screen.
 */
export async function askForPlace(host: Host, flags: PlaceFlags): Promise<Place> {
  const known = new Map<string, string>()
  const missing = asked.filter(({ setting }) => {
    const value = flags[setting] ?? fromEnvironment(host.env, setting)
    if (value !== undefined) known.set(setting, value)
    return value === undefined
  })
  const key =
    fromEnvironment(host.env, 'apiKey') === undefined ? [variables.apiKey.slice(0, 2).join(' or ')] : []
  const isAsked = canAsk(host, flags.input)
  const unsaid = isAsked ? key : [...missing.map(optionOf), ...key]
  if (unsaid.length > 0)
    throw new CommandError(
      `nothing says ${unsaid.join(', ')}; give it and run the same again`,
      exitCode.usage,
    )
  for (const one of missing) {
    const answer = (await askUntilStopped(host, one.question)).trim()
    if (answer === '')
      throw new CommandError(`nothing says ${optionOf(one)}; nothing was written`, exitCode.usage)
    known.set(one.setting, answer)
  }
  const of = (setting: string) => known.get(setting) ?? ''
  return { baseUrl: of('baseUrl'), project: of('project'), organization: of('organization') }
}

function optionOf({ option, setting }: (typeof asked)[number]): string {
  return `${option} (${variables[setting][0]})`
}
