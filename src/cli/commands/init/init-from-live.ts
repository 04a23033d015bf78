import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { codeOf } from '../../../model/files/error-code.ts'
import { shellWord } from '../../../model/text/shell-word.ts'
import { examplePath, starterFiles } from '../../../yaml/write/init.ts'
import { CommandError, type ExitCode, exitCode } from '../../host/exit-code.ts'
import type { Host } from '../../host/host.ts'
import { interruptible } from '../../host/interruption.ts'
import { isForPeople, type OutputFlags, print } from '../../host/output/output.ts'
import { runDoctor } from '../doctor/doctor.ts'
import { runExport } from '../export/export.ts'
import { runPlan } from '../plan.ts'
import { askForPlace, type PlaceFlags } from './ask-for-place.ts'
import { StartedFiles } from './started-files.ts'

export interface FromLiveFlags extends PlaceFlags, OutputFlags {
  /** What the environment is called. */
  readonly env?: string
}

/** Where the declarations of what is live go. */
const flagsFolder = 'flags'

/**
 * `vexil init --from-live`: the settings, the checks of `doctor`, an export and a first plan, one after the other.
 *
 * | what ends it                                 | what is left                                             |
 * |----------------------------------------------|----------------------------------------------------------|
 * | a repository is there already                | that, as it was                                          |
 * | nobody says which service, or there is no key | nothing                                                  |
 * | `doctor` fails, the export fails, or a signal | nothing: what was written is taken back                  |
 * | the plan fails                               | the settings and all that is live, whole                 |
 */
export async function runInitFromLive(
  host: Host,
  directory: string,
  flags: FromLiveFlags,
): Promise<ExitCode> {
  const root = resolve(host.directory, directory)
  requireName(flags.env)
  await refuseRepository(root)
  const place = await askForPlace(host, flags)
  return interruptible(host, async held => {
    const files = new StartedFiles(root)
    // What is said on the way is for people: beside the document, where one was asked for.
    const told = isForPeople(flags) ? held : { ...held, stdout: held.stderr }
    const { baseUrl, project, organization, color } = flags
    const here = { baseUrl, project, organization, color, chdir: directory }
    const code = await files.orNothing(held.log, async () => {
      const starters = starterFiles({ environment: flags.env, ...place }).filter(
        ({ path }) => path !== examplePath,
      )
      for (const starter of starters) await files.write({ ...starter, text: held.secrets.hide(starter.text) })
      const checked = await runDoctor(told, here)
      if (checked !== exitCode.done) return checked
      held.stop?.throwIfAborted()
      await files.makeFolder(flagsFolder)
      told.stdout.write('\n')
      const exported = await runExport(told, {
        ...here,
        directory: join(directory, flagsFolder),
        grants: true,
      })
      held.stop?.throwIfAborted()
      return exported
    })
    if (code !== exitCode.done && code !== exitCode.refused) {
      held.log.warn('what was written is taken back; mend that, and run the same again')
      return code
    }
    told.stdout.write('\n')
    const planned = await runPlan(told, here)
    told.stdout.write('\n')
    const next = nextSteps(directory)
    await print(held, flags, { is: 'init', directory, files: await files.list(flagsFolder), next })
    return planned === exitCode.done ? code : planned
  })
}

function requireName(name: string | undefined): void {
  if (name === undefined || /^[A-Za-z][\w-]*$/.test(name)) return
  const words = `${JSON.stringify(name)} cannot be the name of an environment; take letters, digits, "_" and "-"`
  throw new CommandError(words, exitCode.usage)
}

/** Whatever somebody has written there already stays as it is. */
async function refuseRepository(root: string): Promise<void> {
  const has = await Promise.all([isThere(join(root, 'vexil.yaml')), hasEntries(join(root, flagsFolder))])
  const found = ['vexil.yaml', `${flagsFolder}/`].filter((_, index) => has[index])
  if (found.length === 0) return
  const words = `${found.join(' and ')} is there already, and nothing is overwritten; \`vexil export -d ${flagsFolder}\` adds what is not declared yet`
  throw new CommandError(words, exitCode.refused)
}

async function isThere(path: string): Promise<boolean> {
  return (await orAbsent(stat(path))) !== undefined
}

async function hasEntries(folder: string): Promise<boolean> {
  return ((await orAbsent(readdir(folder))) ?? []).length > 0
}

/** Undefined where nothing is there; a folder that cannot be looked into is not empty. */
async function orAbsent<T>(looking: Promise<T>): Promise<T | undefined> {
  return looking.catch(error => {
    if (codeOf(error, '') === 'ENOENT') return undefined
    throw error
  })
}

function nextSteps(directory: string): string {
  const where = directory === '.' ? '' : ` -C ${shellWord(directory)}`
  return `read the files and commit them (.vexil/ is ignored), then vexil apply${where}; docs/ci.md has pipelines that plan and apply`
}
