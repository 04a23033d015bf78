import type { JsonObject } from '../../../model/json/json.ts'
import { documentHead, documentSchema } from '../document-head.ts'
import { text } from '../text-schema.ts'

/** The schema of what `vexil terraform install --json` prints. */
export function installationSchema(): JsonObject {
  return documentSchema('installation', {
    ...{ title: 'Vexil installation', description: "Where Terraform's provider was put." },
    required: [...['format_version', 'exit_code'], ...Object.keys(installation)],
    properties: { ...documentHead, ...installation },
  })
}

const installation = {
  provider: { ...text, description: 'As configurations name it.' },
  version: text,
  platform: { ...text, description: 'As Terraform writes it, such as linux_amd64.' },
  checksum: { ...text, pattern: '^h1:', description: 'What .terraform.lock.hcl has of it.' },
  directory: { ...text, description: 'The plugin folder.' },
  folders: {
    type: 'array',
    items: {
      type: 'object',
      required: ['source', 'path', 'state'],
      properties: {
        source: { ...text, description: 'The address with its registry.' },
        path: text,
        state: {
          enum: ['wrote', 'kept', 'replaced'],
          description: 'kept: the same was there; replaced: another of the same version was.',
        },
      },
    },
  },
  next: { ...text, description: 'What to run next.' },
} satisfies JsonObject

/** The schema of what `vexil init --json` prints. */
export function initSchema(): JsonObject {
  return documentSchema('init', {
    ...{ title: 'Vexil init', description: 'What a repository was started with.' },
    required: ['format_version', 'exit_code', 'directory', 'files', 'next'],
    properties: {
      ...documentHead,
      directory: text,
      files: { type: 'array', items: startedFile },
      next: { ...text, description: 'What to run next.' },
    },
  })
}

const startedFile: JsonObject = {
  type: 'object',
  required: ['path', 'state'],
  properties: {
    path: text,
    state: { enum: ['wrote', 'kept'], description: 'kept: it was there, and is as it was.' },
  },
}
