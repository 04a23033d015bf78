import { realpath } from 'node:fs/promises'
import { runCommandLine } from '../../src/cli/program.ts'
import type { Runtime } from '../../src/model/runtime.ts'
import { folderWith, writeFiles } from '../support/folder.ts'
import { startService, type Through } from '../support/service.ts'
import { aClock } from './clock.ts'
import type { Files, Scene } from './scene.ts'
import type { Happened, SentRequest } from './transcript.ts'

/** What a scene is played on: a service, a folder, and what a process knows of both. */
interface Stage {
  readonly url: string
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Runtime
}

/**
 * What is different in each run, as recordings have it. Nothing else is changed.
 *
 * | in a run                        | in a recording          | why                                             |
 * |---------------------------------|-------------------------|-------------------------------------------------|
 * | the temporary folder            | `/FOLDER`               | its name is random                              |
 * | `http://127.0.0.1:PORT`         | `http://SERVICE`        | any free port, so that runs do not meet         |
 * | `"digest": "sha256:..."`        | `"digest": "sha256:*"`  | that of a plan, which has the address in it     |
 */
function stableText(text: string, { folder, url }: Stage): string {
  return text
    .replaceAll(folder, '/FOLDER')
    .replaceAll(url, 'http://SERVICE')
    .replaceAll(/"digest": "sha256:[0-9a-f]{64}"/g, '"digest": "sha256:*"')
}

/** Plays the steps of a scene: what came of each command, and which requests it made. */
export async function play(scene: Scene): Promise<Happened[]> {
  const clock = aClock()
  const requests: SentRequest[] = []
  const service = await startService(
    { runtime: clock(), seed: scene.world, ...scene.service },
    heardBy(requests),
  )
  const { path, remove } = await folderWith({})
  const stage: Stage = {
    url: service.url,
    folder: await realpath(path),
    env: {
      ...service.env,
      // One request at a time leaves in one order, so that the order can be compared.
      VEXIL_PARALLELISM: '1',
      GITHUB_ACTOR: 'recorder',
      ...scene.env,
    },
    clock: clock(),
  }
  const stable = (text: string) => stableText(text, stage)
  const command = async (line: string): Promise<Happened> => {
    requests.length = 0
    // Later commands are later, as they are for people.
    await stage.clock.sleep(1000)
    const { code, stdout, stderr } = await runOn(stage, line)
    return {
      command: `vexil ${line}`,
      code,
      requests: requests.map(({ line: sent, body }) => ({ line: stable(sent), body: stable(body) })),
      stdout: stable(stdout),
      stderr: stable(stderr),
    }
  }
  const write = (files: Files) => writeFiles(stage.folder, withAddress(files, service.url))
  try {
    await write(scene.files)
    const happened: Happened[] = []
    for (const step of scene.steps) {
      if ('vexil' in step) happened.push(await command(step.vexil))
      else if ('write' in step) await write(step.write)
      else if ('colleague' in step) {
        const [method = '', sent = ''] = step.colleague.split(' ')
        await service.send(method, sent, step.body)
      } else service.faults(...step.faults)
    }
    return happened
  } finally {
    await service.close()
    await remove()
  }
}

/** Writes down each request as it arrives, and hands it on. */
function heardBy(requests: SentRequest[]): Through {
  return handle => async (request, connection) => {
    const { pathname, search } = new URL(request.url)
    const heard = { line: `${request.method} ${pathname}${search}`, body: '' }
    requests.push(heard)
    heard.body = await request.clone().text()
    return handle(request, connection)
  }
}

function withAddress(files: Files, url: string): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, text.replaceAll('SERVICE', url)]),
  )
}

async function runOn({ env, folder, clock }: Stage, line: string) {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const code = await runCommandLine({
    arguments: wordsOf(line),
    env,
    directory: folder,
    stdout: { write: text => void stdout.push(text), isTerminal: false },
    stderr: { write: text => void stderr.push(text), isTerminal: false },
    ask: undefined,
    readStdin: async () => new Uint8Array(),
    runtime: clock,
    processes: {
      own: async () => ({ user: 'recorder', host: 'machine', system: '', pid: 1, started: 'once' }),
      startOf: async () => 'once',
    },
    signalGroup: undefined,
    onInterrupt: () => () => {},
  })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

/** The words of a command line; those in double quotes are one. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
