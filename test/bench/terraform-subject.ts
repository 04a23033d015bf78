import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleName, providerFiles, type ReleaseFile, writeFiles } from '../../src/terraform/install.ts'
import { packageRoot } from '../support/built.ts'
import { benchFlag, benchKey } from './repository.ts'
import { type StandIn, settingsOf } from './stand-in.ts'

/** What Terraform is measured with: a provider and its flags, or Terraform's own resource with the same in it. */
export interface Subject {
  readonly name: string
  /** The type of the resource. */
  readonly type: string
  /** Source and folder of the provider. */
  readonly provider?: { readonly source: string; readonly folder: string }
  /** What runs Terraform, with Terraform's words after it; Terraform itself if absent. */
  readonly runner?: readonly string[]
  /** The profile of the service that it is made for. */
  readonly profile: string
  settings(standIn: StandIn): Readonly<Record<string, string>>
}

const parallelism = 8

/**
 * Ours, the built-in one, our floor, and the official provider of the public service where somebody has its binary:
 * what says most comes first, for those who do not wait for the rest.
 */
export async function subjects(folder: string): Promise<readonly Subject[]> {
  const ours = join(folder, 'vexil')
  const files = await providerFiles(packageRoot, '0.1.0')
  await writeFiles(ours, files)
  const official = officialFolder()
  const vexil: Subject = {
    name: 'vexil',
    type: 'vexil_feature_flag',
    provider: { source: 'vexil/vexil', folder: ours },
    profile: 'posthog',
    settings: standIn => ({ ...settingsOf(standIn, parallelism), VEXIL_PROFILE: 'posthog' }),
  }
  const serve = [process.execPath, join(packageRoot, 'dist/vexil.cjs'), 'terraform', 'serve', '--']
  return [
    vexil,
    { ...vexil, name: 'served', runner: serve },
    { name: 'terraform_data', type: 'terraform_data', profile: 'posthog', settings: () => ({}) },
    {
      name: 'floor',
      type: 'vexil_feature_flag',
      provider: { source: 'vexil/vexil', folder: await echoFolder(folder, files) },
      profile: 'posthog',
      settings: () => ({}),
    },
    ...(official === undefined ? [] : [officialSubject(official)]),
  ]
}

/** The provider that answers with what it is asked, built and started as ours is. */
async function echoFolder(folder: string, files: readonly ReleaseFile[]): Promise<string> {
  const echo = join(folder, 'echo')
  await writeFiles(echo, files)
  await build({
    entryPoints: [join(import.meta.dirname, 'echo-provider.ts')],
    outfile: join(echo, bundleName),
    allowOverwrite: true,
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  })
  return echo
}

/**
 * The folder that holds `terraform-provider-posthog`: that of the variable, or the first of those that are kept beside
 * the repository.
 */
function officialFolder(): string | undefined {
  const kept = join(import.meta.dirname, '../../../engines')
  const folders = existsSync(kept) ? readdirSync(kept).map(name => join(kept, name)) : []
  return [process.env.VEXIL_BENCH_OFFICIAL_PROVIDER ?? '', ...folders].find(folder =>
    existsSync(join(folder, 'terraform-provider-posthog')),
  )
}

function officialSubject(folder: string): Subject {
  return {
    name: 'official',
    type: 'posthog_feature_flag',
    provider: { source: 'posthog/posthog', folder },
    profile: 'posthog',
    settings: ({ url, key, organization }) => ({
      POSTHOG_HOST: url,
      POSTHOG_API_KEY: key,
      POSTHOG_PROJECT_ID: '1',
      POSTHOG_ORGANIZATION_ID: organization,
    }),
  }
}

/** A configuration of so many flags, a block for each. */
export function configurationOf(subject: Subject, count: number): string {
  const blocks = Array.from(
    { length: count },
    (_, index) =>
      `resource "${subject.type}" "${benchKey(index)}" {\n${within(subject, membersOf(index))}\n}`,
  )
  return [headOf(subject), ...blocks].join('\n')
}

function headOf({ provider }: Subject): string {
  if (!provider) return ''
  const name = provider.source.split('/')[1]
  return `terraform {\n  required_providers {\n    ${name} = { source = "${provider.source}" }\n  }\n}\n`
}

function within({ type }: Subject, members: readonly string[]): string {
  const lines = members.join('\n')
  return type === 'terraform_data' ? `  input = {\n${lines}\n  }` : lines
}

/** JSON is an expression of Terraform's as it stands. */
function membersOf(index: number): readonly string[] {
  const { filters, ...rest } = benchFlag(index)
  const plain = Object.entries({ key: benchKey(index), ...rest }).map(
    ([name, value]) => `  ${name} = ${JSON.stringify(value)}`,
  )
  return [...plain, `  filters = jsonencode(${JSON.stringify(filters)})`]
}
