import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { argv, exit, stderr, stdout } from 'node:process'
import { promisify } from 'node:util'
import { enginesFolder } from './engines.ts'
import { foundNodes, nodeNamed, nodeOf, nodePackage, nodes } from './nodes.ts'

/*
 * tsx test/engines/fetch-nodes.ts [VERSION ...]
 *
 * Fetches the Nodes that are tried, with npm, which checks them against the registry's digest, into the folder that
 * VEXIL_ENGINES names. A version is the beginning of one: 24. Without versions: all that are not there.
 */
const run = promisify(execFile)
const asked = argv.slice(2)
const unknown = asked.filter(each => nodeNamed(each) === undefined)
if (unknown.length > 0) {
  stderr.write(`${unknown.join(', ')}: no such Node here; there are ${nodes.join(', ')}\n`)
  exit(1)
}
const found = foundNodes()
for (const version of nodes) {
  const isAsked = asked.length === 0 || asked.some(each => nodeNamed(each) === version)
  if (!isAsked) continue
  if (!found.includes(version)) await fetchNode(version)
  stdout.write(`${nodeOf(version)}\n`)
}

async function fetchNode(version: string): Promise<void> {
  await mkdir(enginesFolder(), { recursive: true })
  // Beside where it goes, to be moved there whole.
  const folder = await mkdtemp(join(enginesFolder(), 'fetched-'))
  try {
    const packed = await run('npm', ['pack', '--silent', `${nodePackage}@${version}`], { cwd: folder })
    await run('tar', ['-xzf', packed.stdout.trim()], { cwd: folder })
    const node = join(folder, 'package/bin/node')
    const { stdout: said } = await run(node, ['--version'])
    if (said.trim() !== `v${version}`)
      throw new Error(`${nodePackage}@${version} says that it is ${said.trim()}`)
    await mkdir(dirname(nodeOf(version)), { recursive: true })
    await rename(node, nodeOf(version))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
