import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { makeFolder } from '../../model/files/make-folder.ts'
import { FileError } from '../../model/files/read-regular-file.ts'
import { readTextFile } from '../../model/files/read-text-file.ts'
import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { anything, map, maybe, members, text } from '../../model/json/json-shape.ts'
import { readJsonIfAny, writeJson } from '../../model/json/json-text.ts'
import { largestFile } from '../../model/limits.ts'
import { type Manifest, manifestName, readManifest } from '../../stack/index.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'

/** What an app has synthesized, and where. */
export interface Synthesized extends Manifest {
  readonly output: string
}

/**
 * Runs an app as the CLI of its engine does: it is told by the environment where to write and what `cdktf.json` says of
 * its context. Whatever it prints goes to standard error, since the result of the command is ours.
 */
export async function synthesizeApp(host: Host, app: string, directory: string): Promise<Synthesized> {
  const settings = await readAppSettings(directory)
  const output = outputOf(host, settings, directory)
  // The engines make the last folder of the way only.
  await makeFolder(output)
  // What an earlier run has left must not be taken for what this one says.
  await rm(join(output, manifestName), { force: true })
  await runApp(host, app, directory, {
    CDKTF_OUTDIR: output,
    // Without it an engine ends at the first error that is said of a construct, and writes nothing that would say where.
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: 'true',
    ...(settings.context && host.env.CDKTF_CONTEXT_JSON === undefined
      ? { CDKTF_CONTEXT_JSON: writeJson(settings.context) }
      : {}),
  })
  const manifest = await readManifest(output)
  if (manifest) return { ...manifest, output }
  throw new CommandError(
    `"${app}" ended well and synthesized nothing into "${output}"; call app.synth(), and leave \`outdir\` out of new App()`,
  )
}

/** Where the stacks of an app are: where its environment or `cdktf.json` say, else in `cdktf.out`. */
export async function outputFolder(host: Host, directory: string): Promise<string> {
  return outputOf(host, await readAppSettings(directory), directory)
}

function outputOf({ env }: Host, { output }: AppSettings, directory: string): string {
  return resolve(directory, env.CDKTF_OUTDIR ?? output ?? 'cdktf.out')
}

interface AppSettings {
  readonly output?: string
  readonly context?: JsonObject
}

/** An engine refuses a file that it cannot read too; one of another shape would be read as if it said nothing. */
async function readAppSettings(directory: string): Promise<AppSettings> {
  const path = join(directory, 'cdktf.json')
  const refused = (why: string) => new CommandError(`"${path}" ${why}`)
  const written = await readTextFile(path, largestFile).catch(error => {
    if (!(error instanceof FileError)) throw error
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw refused(error.message)
  })
  if (written === undefined) return {}
  const json = readJsonIfAny(written)
  if (!isJsonObject(json)) throw refused('is not a JSON object')
  const wrong = settingsShape(json, '')
  if (wrong !== undefined) throw refused(`cannot be read: ${wrong}`)
  const { output = null, context = null } = json
  return {
    ...(typeof output === 'string' ? { output } : {}),
    ...(isJsonObject(context) ? { context } : {}),
  }
}

const settingsShape = members({ output: maybe(text), context: maybe(map(anything)) })

async function runApp(
  host: Host,
  app: string,
  directory: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(app, {
    shell: true,
    detached: host.signalGroup !== undefined,
    cwd: directory,
    env: { ...host.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    // By whole lines: what is taken out of them on the way could be cut in two otherwise.
    createInterface({ input: stream }).on('line', line => host.log.info(line, { from: 'app' }))
  }
  let received: 'SIGINT' | 'SIGTERM' | undefined
  const stopListening = host.onInterrupt(signal => {
    // An app that takes no hint is ended by the second one.
    end(host, child, received === undefined ? signal : 'SIGKILL')
    received ??= signal
  })
  try {
    const [code, signal] = await once(child, 'close')
    if (received !== undefined) throw new CommandError('interrupted; nothing was read', codes[received])
    if (code === 0) return
    const ending = code === null ? `was ended by ${signal}` : `ended in ${code}`
    throw new CommandError(`"${app}" ${ending}; nothing was read`)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`"${app}" cannot be run in "${directory}"`)
  } finally {
    stopListening()
  }
}

const codes = { SIGINT: exitCode.interrupted, SIGTERM: exitCode.terminated } as const

/** The app runs below a shell, which would go away without it. */
function end({ signalGroup }: Host, child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && signalGroup) signalGroup(child.pid, signal)
  else child.kill(signal)
}
