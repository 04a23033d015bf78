import { describe, expect, it } from 'vitest'
import { isWrite, useWorkspace } from '../support/workspace.ts'

const workspace = useWorkspace()

async function applied() {
  const space = workspace()
  await space.vexil('apply --auto-approve')
  return space
}

describe('vexil export --format hcl', () => {
  it('writes resources with their imports as one text, reads alone, and has no key in it', async () => {
    const { vexil, service, flag } = await applied()
    const { result, requests } = await service.watch(() => vexil('export --format hcl --kind feature_flag'))
    expect(requests.filter(isWrite)).toEqual([])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).not.toContain(service.env.VEXIL_API_KEY)
    const [checkout, dark] = [await flag('checkout'), await flag('dark_mode')]
    expect(result.stdout).toBe(`terraform {
  required_version = ">= 1.5"

  required_providers {
    vexil = { source = "vexil/vexil" }
  }
}

provider "vexil" {
  base_url        = "${service.url}"
  project_id      = "1"
  organization_id = "${service.env.VEXIL_ORGANIZATION_ID}"
}

resource "vexil_feature_flag" "checkout" {
  key                = "checkout"
  name               = "New checkout"
  active             = true
  tags               = ["shop"]
  rollout_percentage = 10
}

resource "vexil_feature_flag_role_access" "checkout_support" {
  feature_flag_id = vexil_feature_flag.checkout.id
  role_id         = "01900000-0000-0000-0000-0000000000aa"
}

resource "vexil_feature_flag" "dark_mode" {
  key                = "dark_mode"
  active             = false
  rollout_percentage = 100
}

import {
  to = vexil_feature_flag.checkout
  id = "${checkout.id}#release"
}

import {
  to = vexil_feature_flag_role_access.checkout_support
  id = "checkout/01900000-0000-0000-0000-0000000000aa"
}

import {
  to = vexil_feature_flag.dark_mode
  id = "${dark.id}#release"
}
`)
  })

  it('writes files, overwrites none, and takes grants and the short way out where it is told', async () => {
    const { vexil, list, read } = await applied()
    const line = 'export --format hcl --kind feature_flag --no-grants --raw -d live'
    const { code, stderr } = await vexil(line)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        '3 files written; run terraform init and terraform plan there, and remove imports.tf after the apply\n',
    })
    expect(await list('live')).toEqual(['feature_flags.tf', 'imports.tf', 'providers.tf'])
    const flags = await read('live/feature_flags.tf')
    expect(flags).not.toContain('role_access')
    expect(flags).toContain('filters = jsonencode({ groups = [{ rollout_percentage = 10 }] })')
    expect(await read('live/imports.tf')).not.toContain('#release')
    const again = await vexil(line)
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/already exists; choose an empty folder\n$/)
  })

  it('knows no other language', async () => {
    const { code, stderr } = await workspace().vexil('export --format xml')
    expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining('yaml, hcl') })
  })

  it('shows the objects as JSON where that is asked for', async () => {
    const { vexil } = await applied()
    const { code, stdout } = await vexil('export --format hcl --json')
    expect([code, JSON.parse(stdout).objects.length]).toEqual([0, 2])
  })
})
