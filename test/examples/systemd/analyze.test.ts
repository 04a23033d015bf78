import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOfTest } from '../../support/folder.ts'
import { readExample } from './unit.ts'

/** `examples/systemd/vexil-reconcile.service`, with systemd's own checks. They start nothing. */

// The program has to be there, and Node is.
const text = (await readExample('vexil-reconcile.service')).replace('/opt/vexil/bin/vexil', process.execPath)

async function analyze(unit: string, ...words: readonly string[]) {
  const folder = await folderOfTest({ 'vexil-reconcile.service': unit })
  const { status, stdout, stderr } = spawnSync(
    'systemd-analyze',
    [...words, join(folder, 'vexil-reconcile.service')],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

describe('systemd-analyze verify', () => {
  it('has no remark', async () => {
    expect(await analyze(text, 'verify')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  // It ends in 0 even so.
  it('remarks on a setting and a value that systemd does not know', async () => {
    const { stderr } = await analyze(
      text.replace('ProtectHome=', 'ProtectHom=').replace('KillMode=mixed', 'KillMode=mix'),
      'verify',
    )
    expect(stderr).toContain("Unknown key 'ProtectHom'")
    expect(stderr).toContain('Failed to parse kill mode')
  })
})

it('systemd-analyze security finds little that the service may do', async () => {
  // In tenths: 15 is "OK", and a service without hardening has 96.
  const { status, stdout, stderr } = await analyze(text, 'security', '--offline=true', '--threshold=15')
  expect(status, stdout + stderr).toBe(0)
})
