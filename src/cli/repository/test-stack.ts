import { runTests, type TestedEnvironment } from '../../core/declared-tests.ts'
import { type SdkVersions, servicesOf } from '../../model/connection.ts'
import { hasErrors, type Problem } from '../../model/problem.ts'
import type { LoadedStack } from '../../stack/index.ts'
import type { Flags } from '../command-options.ts'
import type { Host } from '../host/host.ts'
import { readStackSettings, withWarnings } from './repository.ts'
import { profileOf, type ReaderSettings, readStack } from './stack-source.ts'

export interface TestedStack {
  /** Problems of the settings and the stack, without failed tests. */
  readonly problems: readonly Problem[]
  readonly texts: ReadonlyMap<string, string>
  readonly tested: readonly TestedEnvironment[]
}

/** Reads a stack, with the settings in its folder, and tests its flags, without the service. */
export async function testStack(
  host: Host,
  flags: Flags,
  {
    policiesWarn = false,
    sdks,
  }: { readonly policiesWarn?: boolean; readonly sdks?: SdkVersions | undefined } = {},
): Promise<TestedStack> {
  const beside = await readStackSettings(host, flags)
  // Settings with errors are ignored, so that problems of the stack can still be reported.
  const settings = policiesWarn ? withWarnings(beside.settings) : beside.settings
  const meant: ReaderSettings = hasErrors(beside.problems) ? { directory: settings.directory } : settings
  const stack = await readStack(host, flags, meant)
  const texts = new Map([...beside.texts, ...stack.texts])
  return {
    problems: [...beside.problems, ...stack.problems],
    texts,
    tested: testsOf(host, flags, meant, stack, sdks),
  }
}

function testsOf(
  host: Host,
  flags: Flags,
  settings: ReaderSettings,
  stack: LoadedStack,
  sdks = settings.policy?.sdks,
): readonly TestedEnvironment[] {
  if (hasErrors(stack.problems)) return []
  const { places: several = [] } = stack
  const places = several.length > 1 ? several : [stack]
  const { environment } = settings
  return places.map(({ declarations, connection, file }) => {
    const services = servicesOf([profileOf(host, flags, settings, connection.profile)], sdks)
    // Flags of two places may have the same key.
    const name = places.length > 1 ? file : environment
    const flagsThere = runTests(declarations.desired, { now: host.runtime.now(), services })
    return { ...(name === undefined ? {} : { name }), flags: flagsThere }
  })
}
