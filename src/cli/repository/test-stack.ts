import { fromEnvironment } from '../../api/index.ts'
import type { TestedEnvironment } from '../../core/tests/failed-tests.ts'
import { runTests } from '../../core/tests/run-tests.ts'
import { hasErrors } from '../../model/problem.ts'
import { servicesOf } from '../../model/profile.ts'
import type { LoadedStack } from '../../stack/index.ts'
import type { RepositoryFlags } from '../connection/repository-settings.ts'
import type { Host } from '../host/host.ts'
import { type ReaderSettings, readStack } from './stack-source.ts'

/** Reads a stack and runs the tests of its flags; no service is asked. */
export async function testStack(
  host: Host,
  flags: RepositoryFlags,
  settings: ReaderSettings,
): Promise<{ readonly stack: LoadedStack; readonly tested: readonly TestedEnvironment[] }> {
  const stack = await readStack(host, flags, settings)
  const { problems, declarations, connection } = stack
  if (hasErrors(problems)) return { stack, tested: [] }
  const stated = flags.profile ?? connection.profile ?? fromEnvironment(host.env, 'profile')
  const place = { now: host.runtime.now(), services: servicesOf([stated]) }
  return { stack, tested: [{ flags: runTests(declarations.desired, place) }] }
}
