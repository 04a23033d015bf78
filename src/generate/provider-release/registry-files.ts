import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { codeOf } from '../../model/files.ts'
import { providerSources, typeName } from '../../schema/terraform/terraform-names.ts'
import {
  archiveName,
  checksumsName,
  checksumsOf,
  manifestName,
  type Platform,
  type ReleaseFile,
  zipOf,
} from '../../terraform/install.ts'
import type { EmittedFile } from '../terraform-docs.ts'

/**
 * The files in a provider's repository for a registry: its pages in `docs/`, their examples as separate files
 * in the folders that `tfplugindocs` uses, and the manifest, which the release contains too.
 *
 * | page                     | example                                             |
 * |--------------------------|-----------------------------------------------------|
 * | index.md                 | provider/provider.tf                                |
 * | resources/NAME.md        | resources/TYPE/resource.tf and import.sh            |
 * | data-sources/NAME.md     | data-sources/TYPE/data-source.tf                    |
 * | functions/NAME.md        | functions/NAME/function.tf                          |
 * | list-resources/NAME.md   | list-resources/TYPE/list-resource.tfquery.hcl       |
 */
const exampleNames: Readonly<Record<string, string>> = {
  resources: 'resource.tf',
  'data-sources': 'data-source.tf',
  functions: 'function.tf',
  'list-resources': 'list-resource.tfquery.hcl',
}

export function registryFiles(pages: readonly EmittedFile[]): readonly EmittedFile[] {
  return [
    ...pages.map(({ path, text }) => ({ path: `docs/${path}`, text })),
    ...pages.flatMap(examplesOf),
    { path: 'terraform-registry-manifest.json', text: manifestContent },
  ]
}

function examplesOf({ path, text }: EmittedFile): readonly EmittedFile[] {
  const [folder = '', file = ''] = path.split('/')
  const example = fencedIn(text, '## Example Usage', 'terraform')
  if (path === 'index.md') return exampleAt('provider/provider.tf', example)
  const exampleName = exampleNames[folder]
  if (exampleName === undefined) throw new Error(`the registry has no pages in "${folder}"`)
  const name = file.replace(/\.md$/, '')
  const place = `${folder}/${folder === 'functions' ? name : typeName(name)}`
  const imported = fencedIn(text, '## Import', 'shell')
  return [...exampleAt(`${place}/${exampleName}`, example), ...exampleAt(`${place}/import.sh`, imported)]
}

function exampleAt(path: string, text: string | undefined): readonly EmittedFile[] {
  return text === undefined ? [] : [{ path: `examples/${path}`, text }]
}

/** The first code block in a language below a heading. */
function fencedIn(page: string, heading: string, language: string): string | undefined {
  const [, below = ''] = page.split(`\n${heading}\n`)
  const [section = ''] = below.split('\n## ')
  const [, block = ''] = section.split(`\`\`\`${language}\n`)
  const end = block.indexOf('```')
  return end <= 0 ? undefined : block.slice(0, end)
}

/** The files of a version for several platforms. */
export interface Packed {
  readonly platforms: readonly Platform[]
  readonly files: readonly ReleaseFile[]
}

/**
 * A release for registries: one archive per platform, the checksums and the manifest. It also has the
 * archives in the layout of a filesystem mirror.
 */
export function releaseOf(packed: readonly Packed[], version: string): readonly ReleaseFile[] {
  const archives = packed.flatMap(({ platforms, files }) => {
    const archive = zipOf(files)
    return platforms.map(platform => plain(archiveName(version, platform), archive))
  })
  const manifest = plain(manifestName(version), Buffer.from(manifestContent))
  const checksums = plain(checksumsName(version), Buffer.from(checksumsOf([...archives, manifest])))
  const mirrored = providerSources.flatMap(source =>
    archives.map(({ path, bytes }) => plain(`mirror/${source}/${path}`, bytes)),
  )
  return [...archives, manifest, checksums, ...mirrored]
}

/** The protocol version that the registry reports to Terraform before a download. */
export const manifestContent = `${JSON.stringify({ version: 1, metadata: { protocol_versions: ['6.0'] } }, null, 2)}
`

function plain(path: string, bytes: Uint8Array): ReleaseFile {
  return { path, bytes, isExecutable: false }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Throws a `PackagingError` if gpg or the key is missing. It does not ask for a passphrase. */
export async function requireSigningKey(key: string, env: Environment): Promise<void> {
  if (key.trim() === '')
    throw new PackagingError('--sign needs a key: give its e-mail address or fingerprint')
  const { code, reason } = await gpg(['--batch', '--list-secret-keys', '--', key], new Uint8Array(), env)
  if (code !== 0)
    throw new PackagingError(
      `gpg has no secret key "${key}"${reason}; list its keys with: gpg --list-secret-keys`,
    )
}

/**
 * The detached binary signature of checksums, which registries require. `gpg` signs with a key in its
 * keyring, and asks for the passphrase as usual. Terraform's registry accepts only RSA and DSA keys.
 */
export async function signatureOf(checksums: Uint8Array, key: string, env: Environment): Promise<Uint8Array> {
  const { code, output, reason } = await gpg(
    ['--local-user', key, '--detach-sign', '--output', '-'],
    checksums,
    env,
  )
  if (code !== 0 || output.length === 0)
    throw new PackagingError(`gpg signed nothing with "${key}" and ended with ${code}${reason}`)
  return output
}

async function gpg(args: readonly string[], input: Uint8Array, env: Environment) {
  const child = spawn('gpg', args, { stdio: 'pipe', env })
  const ended = once(child, 'close')
  // Without a key, gpg ends before it reads anything. Its exit code shows that.
  child.stdin.once('error', () => undefined)
  child.stdin.end(input)
  try {
    const [output, errors, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
    const lines = errors.split('\n').filter(line => line.trim() !== '')
    return { code, output, reason: lines.length === 0 ? '' : ` (${lines.join('; ')})` }
  } catch (error) {
    const why = codeOf(error, 'unknown reason')
    throw new PackagingError(
      why === 'ENOENT' ? 'gpg is not on the PATH; install GnuPG to sign' : `gpg cannot be started (${why})`,
      { cause: error },
    )
  }
}

/** Prevents a release or its signature. The message is for the person who makes the release. */
export class PackagingError extends Error {
  override readonly name = 'PackagingError'
}
