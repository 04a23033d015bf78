import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Runtime } from '../../src/model/runtime.ts'
import { createSandbox, parseFault, type Sandbox, serveSandbox } from '../../src/sandbox/index.ts'
import { aClock } from './clock.ts'
import type { Files, Scene } from './scene.ts'
import type { Happened, SentRequest } from './transcript.ts'

/** What a scene is played on: a service, a folder, and what a process knows of both. */
export interface Stage {
  readonly url: string
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Runtime
}

/** Runs one command line on a stage. */
export type Program = (line: string) => Promise<Omit<Happened, 'command' | 'requests'>>

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

/** Plays the steps of a scene, and tells what came of each command and which requests it made. */
export async function play(scene: Scene, program: (stage: Stage) => Program): Promise<Happened[]> {
  const clock = aClock()
  const sandbox = await createSandbox({ runtime: clock(), seed: scene.world, ...scene.service })
  const requests: SentRequest[] = []
  const { url, close } = await serveSandbox({ ...sandbox, fetch: heardBy(requests, sandbox) })
  const stage: Stage = {
    url,
    folder: await realpath(await mkdtemp(join(tmpdir(), 'vexil-recording-'))),
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
    clock: clock(),
  }
  const stable = (text: string) => stableText(text, stage)
  const run = program(stage)
  const command = async (name: string, line: string): Promise<Happened> => {
    requests.length = 0
    // Later commands are later, as they are for people.
    await stage.clock.sleep(1000)
    const { code, stdout, stderr } = await run(line)
    return {
      command: `${name} ${line}`,
      code,
      requests: requests.map(({ line: sent, body }) => ({ line: stable(sent), body: stable(body) })),
      stdout: stable(stdout),
      stderr: stable(stderr),
    }
  }
  try {
    await writeAll(stage, scene.files)
    const happened: Happened[] = []
    for (const step of scene.steps) {
      if ('vexil' in step) happened.push(await command('vexil', step.vexil))
      else if ('terraform' in step) happened.push(await command('terraform', step.terraform))
      else if ('write' in step) await writeAll(stage, step.write)
      else if ('colleague' in step) await edit(sandbox, url, step.colleague, step.body)
      else {
        sandbox.faults.clear()
        sandbox.faults.add(step.faults.map(parseFault))
      }
    }
    return happened
  } finally {
    await close()
    await sandbox.close()
    await rm(stage.folder, { recursive: true, force: true })
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

async function writeAll({ folder, url }: Stage, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text.replaceAll('SERVICE', url))
  }
}
