import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { env } from 'node:process'
import { engineVariable } from '../suites.ts'

/** Puts the program that VEXIL_TEST_ENGINE names first on the PATH of all that follows, under the name of Terraform. */
export function setup(): (() => void) | undefined {
  const engine = env[engineVariable]
  if (!engine) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'vexil-engine-'))
  symlinkSync(resolve(engine), join(folder, 'terraform'))
  env.PATH = [folder, env.PATH].filter(Boolean).join(delimiter)
  return () => rmSync(folder, { recursive: true, force: true })
}
