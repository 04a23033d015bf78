import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { pack } from './consumer/consumer.ts'

/** The package as it would be published: the archive, and what is in it. */
export interface Packed {
  readonly tarball: string
  readonly folder: string
  /** Paths of all files, relative to the folder. */
  readonly files: readonly string[]
}

/** Packs once for a test file and unpacks it; what is returned is filled when the first test runs. */
export function usePacked(): Packed {
  const packed = { tarball: '', folder: '', files: [] as readonly string[] }
  let scratch: string
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'vexil-package-'))
    packed.tarball = await pack(scratch)
    packed.folder = join(scratch, 'vexil')
    await mkdir(packed.folder)
    await promisify(execFile)('tar', ['-xzf', packed.tarball, '-C', packed.folder, '--strip-components=1'])
    const entries = await readdir(packed.folder, { recursive: true, withFileTypes: true })
    packed.files = entries
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(packed.folder.length + 1))
      .sort()
  })
  afterAll(() => rm(scratch, { recursive: true, force: true }))
  return packed
}
