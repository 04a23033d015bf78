import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { singleExecutable } from '../../src/generate/provider-release/single-executable.ts'
import { bundleName, platformOf, providerFiles, writeFiles } from '../../src/terraform/install.ts'
import { createCertificate } from '../../src/terraform/serve/certificate.ts'
import { packageRoot } from '../support/built.ts'
import { startProvider } from '../terraform/support/start-provider.ts'
import { printFigures } from './print-figures.ts'

const bundlePath = join(packageRoot, 'dist/terraform', bundleName)
const version = '0.1.0'
const rounds = 15

/**
 * From spawn to the line that Terraform waits for, as shipped and otherwise, beside a Node that does nothing. The
 * rounds take turns, so that a busy moment of the machine meets all of them.
 */
export async function benchProviderStart(folder: string): Promise<void> {
  const files = await providerFiles(packageRoot, version)
  const [script = ''] = await writeFiles(join(folder, 'script'), files)
  const [first = ''] = await writeFiles(join(folder, 'first'), files)
  // The first start leaves what it compiled.
  await handshakeMs(script)
  const executable = await buildExecutable(folder)
  const measured = {
    'node -e 0 ms': () => wholeMs(process.execPath, ['-e', '0']),
    'launcher ms': () => handshakeMs(script),
    'first start ms': async () => {
      await rm(join(folder, 'first.cache'), { force: true })
      return handshakeMs(first)
    },
    ...(executable === undefined ? {} : { 'single executable ms': () => handshakeMs(executable) }),
  }
  const medians = await mediansOf(measured)
  const above = (medians['launcher ms'] ?? 0) - (medians['node -e 0 ms'] ?? 0)
  printFigures('provider start', { ...medians, 'launcher above node ms': above })
}

async function buildExecutable(folder: string): Promise<string | undefined> {
  try {
    const platform = platformOf(process.platform, process.arch)
    const options = { bundlePath, version, nodePath: process.execPath, platform }
    const [path] = await writeFiles(join(folder, 'standalone'), [await singleExecutable(options)])
    return path
  } catch (error) {
    console.log(`single executable: skipped, since it cannot be made here: ${String(error).split('\n')[0]}`)
    return undefined
  }
}

async function mediansOf(
  measured: Readonly<Record<string, () => Promise<number>>>,
): Promise<Record<string, number>> {
  const taken = Object.entries(measured).map(([name, run]) => ({ name, run, ms: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { run, ms } of taken) ms.push(await run())
  }
  const median = (ms: number[]) => ms.sort((left, right) => left - right)[Math.floor(rounds / 2)] ?? 0
  return Object.fromEntries(taken.map(({ name, ms }) => [name, median(ms)]))
}

/** From spawn to exit, with nothing beside it that measures. */
async function wholeMs(file: string, given: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(file, given, { stdio: 'ignore' }), 'exit')
  return performance.now() - startedAt
}

/** With a certificate to check, as Terraform has one; its curve too. */
const clientPem = createCertificate(Date.now(), generateKeyPairSync('ec', { namedCurve: 'P-521' })).pem

async function handshakeMs(file: string): Promise<number> {
  const startedAt = performance.now()
  const { child, handshake } = await startProvider([file], { PLUGIN_CLIENT_CERT: clientPem })
  const elapsedMs = performance.now() - startedAt
  const ended = once(child, 'exit')
  if (handshake[1] !== '6') throw new Error(`"${handshake.join('|')}" is no handshake`)
  child.kill('SIGTERM')
  await ended
  return elapsedMs
}
