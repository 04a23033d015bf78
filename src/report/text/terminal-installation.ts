import { escapeText } from '../../model/text/escape-text.ts'
import type { InstallationDocument } from '../document.ts'

/** `vexil terraform install`, for people: what was put where, and what to do with it. */
export function installationText(document: InstallationDocument): string {
  const { provider, version, platform, directory, folders, next } = document
  const parts = [`installed ${provider} ${version} for ${platform} in ${escapeText(directory)}\n`]
  if (folders.some(({ state }) => state === 'replaced')) parts.push(anew)
  parts.push(document.isFoundByItself ? usage(document) : `${escapeText(next)}\n`)
  return parts.join('\n')
}

const anew = `Another provider of this version was there. Where that one was in use, remove .terraform.lock.hcl and run
terraform init again.
`

function usage({ provider, version, next }: InstallationDocument): string {
  return `Ask for it in a configuration, then run ${next}, or tofu init:

terraform {
  required_providers {
    vexil = { source = "${provider}", version = "${version}" }
  }
}
`
}
