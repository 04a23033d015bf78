import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '../../src/cli/run.ts'
import { createSandbox, parseFault, type Sandbox, serveSandbox } from '../../src/sandbox/index.ts'
import { aClock } from './clock.ts'
import type { Files, Scene, Step } from './scene.ts'
import type { Happened, SentRequest } from './transcript.ts'

/**
 * What is different in each run, as recordings have it. Nothing else is changed.
 *
 * | in a run                        | in a recording          | why                                             |
 * |---------------------------------|-------------------------|-------------------------------------------------|
 * | the temporary folder            | `/FOLDER`               | its name is random                              |
 * | `http://127.0.0.1:PORT`         | `http://SERVICE`        | any free port, so that runs do not meet         |
 * | `"digest": "sha256:..."`        | `"digest": "sha256:*"`  | that of a plan, which has the address in it     |
 */
function stableText(
  text: string,
  { folder, url }: { readonly folder: string; readonly url: string },
): string {
  return text
    .replaceAll(folder, '/FOLDER')
    .replaceAll(url, 'http://SERVICE')
    .replaceAll(/"digest": "sha256:[0-9a-f]{64}"/g, '"digest": "sha256:*"')
}

/** Plays a scene through the public doors: the command line, and the requests that reach the service. */
export async function record(scene: Scene): Promise<Happened[]> {
  const clock = aClock()
  const sandbox = await createSandbox({ world: clock(), seed: scene.world, ...scene.service })
  const requests: SentRequest[] = []
  const { url, close } = await serveSandbox({ ...sandbox, fetch: heardBy(requests, sandbox) })
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vexil-recording-')))
  const client = clock()
  const vexil = async (line: string): Promise<Happened> => {
    const [stdout, stderr]: [string[], string[]] = [[], []]
    requests.length = 0
    // Later commands are later, as they are for people.
    await client.sleep(1000)
    const code = await run({
      arguments: wordsOf(line),
      env: {
        VEXIL_BASE_URL: url,
        VEXIL_API_KEY: sandbox.summary.api_key,
        VEXIL_PROJECT_ID: String(sandbox.summary.project),
        VEXIL_ORGANIZATION_ID: sandbox.summary.organization,
        // One request at a time leaves in one order, so that the order can be compared.
        VEXIL_PARALLELISM: '1',
        GITHUB_ACTOR: 'recorder',
        ...scene.env,
      },
      directory: folder,
      stdout: { write: text => void stdout.push(text), isTerminal: false },
      stderr: { write: text => void stderr.push(text), isTerminal: false },
      ask: undefined,
      readStdin: async () => '',
      world: client,
      processes: {
        own: async () => ({ user: 'recorder', host: 'machine', system: '', pid: 1, started: 'once' }),
        startOf: async () => 'once',
      },
      signalGroup: undefined,
      onInterrupt: () => () => {},
    })
    const stable = (text: string) => stableText(text, { folder, url })
    return {
      vexil: line,
      code,
      requests: requests.map(({ line: sent, body }) => ({ line: stable(sent), body: stable(body) })),
      stdout: stable(stdout.join('')),
      stderr: stable(stderr.join('')),
    }
  }
  const perform = async (step: Step): Promise<Happened[]> => {
    if ('vexil' in step) return [await vexil(step.vexil)]
    if ('write' in step) await writeAll(folder, step.write, url)
    else if ('faults' in step) {
      sandbox.faults.clear()
      sandbox.faults.add(step.faults.map(parseFault))
    } else await edit(sandbox, url, step.colleague, step.body)
    return []
  }
  try {
    await writeAll(folder, scene.files, url)
    const happened: Happened[] = []
    for (const step of scene.steps) happened.push(...(await perform(step)))
    return happened
  } finally {
    await close()
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes down each request as it arrives, and hands it on. */
function heardBy(requests: SentRequest[], sandbox: Sandbox): Sandbox['fetch'] {
  return async (request, connection) => {
    const { pathname, search } = new URL(request.url)
    const heard = { line: `${request.method} ${pathname}${search}`, body: '' }
    requests.push(heard)
    heard.body = await request.clone().text()
    return sandbox.fetch(request, connection)
  }
}

async function edit(sandbox: Sandbox, url: string, line: string, body: object): Promise<void> {
  const [method, path] = line.split(' ')
  const answer = await sandbox.fetch(
    new Request(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.summary.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  if (!answer.ok) throw new Error(`${line}: ${answer.status} ${await answer.text()}`)
}

async function writeAll(folder: string, files: Files, url: string): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text.replaceAll('SERVICE', url))
  }
}

/** The words of a command line; those in double quotes are one. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
