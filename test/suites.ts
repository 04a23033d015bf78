import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { env } from 'node:process'
import { globSync } from 'tinyglobby'
import { builtEngines, type Engine } from './engines/engines.ts'
import { foundNodes } from './engines/nodes.ts'

/** Which tests there are, and what they need besides Node and npm. `run.ts` and `vitest.config.ts` read it. */

const root = join(import.meta.dirname, '..')

/**
 * What a run holds, set by `run.ts`:
 *
 * | suite   | by                  | what                                                                     |
 * |---------|---------------------|--------------------------------------------------------------------------|
 * | `unit`  | `npm run test:unit` | what needs no build, no process and no second file system                |
 * | `plain` | `npm test`          | what needs only Node and npm, without what `deeper` names                |
 * | `ci`    | `CI=true npm test`  | all files, with the tools that are found; a run that nobody names too    |
 * | `full`  | `npm run test:full` | each round, fault and service, with every tool                           |
 * | `laws`  | `npm run laws`      | the files with laws, in 10,000 rounds                                    |
 */
export const suiteVariable = 'VEXIL_TEST_SUITE'

const suites = ['unit', 'plain', 'ci', 'full', 'laws'] as const
export type Suite = (typeof suites)[number]

export function suiteOfRun(): Suite {
  return suites.find(suite => suite === env[suiteVariable]) ?? 'ci'
}

export function isPlain(): boolean {
  return suiteOfRun() === 'plain'
}

export function isFull(): boolean {
  return suiteOfRun() === 'full'
}

/** Something that a run does without. */
interface Left {
  readonly name: string
  /** What is tested with it, for the line that says what was left out. */
  readonly tests: string
  /** The files that are left out with it; without any, a part of what other files try. */
  readonly files?: readonly string[]
}

export interface Tool extends Left {
  readonly files: readonly string[]
  readonly isFound: () => boolean
}

/**
 * What a machine may lack. `files` need the tool for all that they test; other files use it where it is there, and
 * leave out what needs it where it is not.
 */
export const tools: readonly Tool[] = [
  {
    name: 'terraform',
    tests: 'what the real Terraform does with the provider, and its language beside our reading of it',
    files: ['test/acceptance/**/*.test.ts', 'test/docs/terraform-commands.test.ts'],
    isFound: () => isOnPath('terraform', 'version'),
  },
  {
    name: 'engines',
    tests: 'other Terraforms and OpenTofu, which npm run engines builds',
    files: [],
    isFound: () => builtEngines().length > 0,
  },
  {
    name: 'tofu',
    tests: 'the same release with OpenTofu',
    files: [],
    isFound: () => isOnPath('tofu', 'version'),
  },
  {
    name: 'gpg',
    tests: 'the signature of a release',
    files: ['test/generate/provider-release/sign-checksums.test.ts'],
    isFound: () => isOnPath('gpg', '--version'),
  },
  {
    name: 'chromium',
    tests: 'HTML reports and posthog-js in a browser',
    files: ['test/browser/**/*.test.ts'],
    isFound: () => isOnPath('chromium', '--version'),
  },
  {
    name: 'pre-commit',
    tests: 'the hooks for pre-commit, with pre-commit itself',
    files: ['test/examples/ci/pre-commit.test.ts'],
    isFound: () => isOnPath('pre-commit', '--version'),
  },
  {
    name: 'promtool',
    tests: 'the alerts of the examples, over made series',
    files: ['test/examples/kubernetes/alerts.test.ts'],
    isFound: () => isOnPath('promtool', '--version'),
  },
  {
    name: 'systemd-analyze',
    tests: 'the service of systemd, with systemd itself',
    files: ['test/examples/systemd/analyze.test.ts'],
    isFound: () => isOnPath('systemd-analyze', '--version'),
  },
  {
    name: 'sdks',
    tests: "the service's own SDKs against the sandbox",
    files: ['test/sandbox/sdk/{declared-flags,real-sdks}.test.ts'],
    isFound: () =>
      ['posthog-node-3', 'posthog-node-5', 'posthog-js-lite', '@flags-sdk/posthog'].every(isInstalled),
  },
  {
    name: 'nodes',
    tests: 'commands and the provider with other Nodes, which npm run nodes fetches',
    files: ['test/engines/nodes.test.ts'],
    isFound: () => foundNodes().length > 0,
  },
]

/** Names of the tools that this run does without; `run.ts` sets it. */
export const withoutVariable = 'VEXIL_TEST_WITHOUT'

function isWithout(tool: string): boolean {
  return (env[withoutVariable] ?? '').split(',').includes(tool)
}

/** What other engines may do otherwise than the Terraform on the PATH: their language, formats, order and messages. */
export const engineFiles: readonly string[] = [
  'checksums',
  'data',
  'example',
  'identity',
  'import',
  'language',
  'lifecycle',
  'local-names',
  'mocks',
  'query',
  'references',
  'release',
  'sensitive',
  'structures',
].map(name => `test/acceptance/terraform-${name}.test.ts`)

/** The engines that `engineFiles` run on once more. */
export function enginesOfRun(): readonly Engine[] {
  return ['ci', 'full'].includes(suiteOfRun()) && !isWithout('engines') ? builtEngines() : []
}

/** Names the service that the suites below talk to; the documented one without it. */
export const serviceVariable = 'VEXIL_TEST_SERVICE'

/** The stories that go otherwise where services differ, by what they differ in. The others run on one service. */
const differingStories: Readonly<Record<string, readonly string[]>> = {
  'the main job, from end to end': ['round'],
  'how a deleted flag comes back': ['restore', 'undo'],
  'how conditions name flags': ['flag-dependencies'],
  'how filters are shown, and what a change of them replaces': [
    'digits',
    'ignore',
    'live-edits/merging',
    'nothing-hidden',
    'same-meaning',
    'unknown-members',
  ],
  'how roles are given a flag': ['live-edits/grants'],
  'how many people a condition reaches': ['cohorts', 'estimates'],
}

/** Stories that go otherwise on the service of today alone: by the versions of flags and the rows of the trail. */
const storiesOfToday = ['all-or-nothing', 'at-once', 'colleagues', 'live-edits/trail', 'stale/by-service']

const storyFile = (name: string) => `test/scenario/${name}.test.ts`

/** What runs once more on each public service, which is to be recognized by its answers. */
export const onEachService = {
  services: ['posthog', 'posthog-2026'],
  files: Object.values(differingStories).flat().map(storyFile),
  /** On the service of today, and on each in a full run. */
  filesOfToday: storiesOfToday.map(storyFile),
  /** Only in a full run, since they take as long as all the stories. */
  filesInFull: ['test/fault/{converge,kill,undo-faulted}.test.ts', 'test/property/{laws,undo}.test.ts'],
} as const

/** What one suite does without and the next has, beside the tools: for the lines that say what was left out. */
export const deeper: Readonly<Record<'ci' | 'full', readonly Left[]>> = {
  ci: [
    { name: 'services', tests: 'stories on posthog and posthog-2026' },
    {
      name: 'rounds',
      tests: 'three of four rounds of each law, and laws whose rounds take long',
      files: ['test/property/{export-names,stale}.test.ts', 'test/policies/same-in-front-ends.test.ts'],
    },
    {
      name: 'faults',
      tests: 'a process that is killed, a service that fails at any request, trails that cannot be read',
      files: ['test/fault/*.test.ts', 'test/trail/{restored,unreadable-*}.test.ts'],
    },
    {
      name: 'quirks',
      tests: 'each way of each behaviour, and races',
      files: ['test/quirk/{access,grants-route,later-fields,matrix,races}.test.ts'],
    },
    {
      name: 'edges',
      tests:
        'time that grows with what is read, texts that a terminal obeys, sizes past every limit, the key in any output',
      files: ['test/cli/edge/linear/*.test.ts', 'test/cli/edge/{bounds,escapes,key}.test.ts'],
    },
    {
      name: 'ways',
      tests: 'each way to come to the same, in pipelines, in packed constructs and in written programs',
    },
    {
      name: 'shapes',
      tests: 'recorded requests, each field and level by each door, and each member of another sort',
      files: [
        'test/recording/recording.test.ts',
        'test/stack/fields-of-today.test.ts',
        'test/cli/{file-shapes,json-errors,stack-look-ups}.test.ts',
        'test/constructs/references/lazy-in-json.test.ts',
        'test/cli/plan-json-shapes.test.ts',
        'test/cli/record/record-shapes.test.ts',
        'test/cli/edge/{log,redacted-values}.test.ts',
      ],
    },
    {
      name: 'programs',
      tests: 'constructs with each argument, packed and in projects of their own, and exports to TypeScript',
      files: [
        'test/constructs/arguments/arguments*.test.ts',
        'test/package/consumer/{packed,testing}.test.ts',
        'test/package/metadata.test.ts',
        'test/cli/export-ts.test.ts',
        'test/code/typed/compiles.test.ts',
      ],
    },
    { name: 'pages', tests: 'the commands of the pages, but those that a newcomer reads' },
    { name: 'calls', tests: 'how each engine calls the provider' },
    {
      name: 'pipelines',
      tests: 'pipelines from end to end; the image',
      files: [
        'test/examples/ci/{atlantis,buildkite,every-shop,gitlab,tell-gitlab}.test.ts',
        'test/examples/ci/github/*.test.ts',
        'test/examples/docker/image.test.ts',
        'test/scenario/live-edits/pipelines.test.ts',
      ],
    },
    {
      name: 'fleets',
      tests: 'the shared store on a real PostgreSQL, and replicas that are killed',
      files: ['test/fleet/{commands,jobs,memory-jobs,pace-law,reconcile,replicas,store}.test.ts'],
    },
    {
      name: 'clones',
      tests: 'stories of several clones, but those of clicks in the product; hostile repositories',
      files: [
        'test/scenario/live-edits/{history,on-purpose,plugin-sources,repository}.test.ts',
        'test/scenario/{month/month,stale/by-records}.test.ts',
        'test/cli/record/{history,shared-runs}.test.ts',
        'test/cli/past/{older-commit,tree-of-commit}.test.ts',
        'test/git/repository-runs-nothing.test.ts',
      ],
    },
    {
      name: 'releases',
      tests: 'the release of the provider, with Node inside and signed, built again and installed',
      files: [
        'test/generate/provider-release/package-provider.test.ts',
        'test/terraform/install/{install,launcher,one-content,rebuilt,shipped}.test.ts',
      ],
    },
  ],
  full: [
    {
      name: 'processes',
      tests: 'a process of its own for each command of the pages and of shell steps in pipelines',
    },
    { name: 'rounds', tests: 'seven of ten rounds of each law; npm run laws has more' },
    { name: 'sdks', tests: 'SDKs of Python, Go and Rust, which are downloaded' },
    { name: 'services', tests: 'faults, laws and quirks on each public service' },
    {
      name: 'faults',
      tests: 'faults at two of three requests, and each answer of a trail that cannot be read',
    },
    { name: 'constructs', tests: 'each argument with cdktn too, not one of each sort' },
    {
      name: 'again',
      tests:
        'recorded expressions and structures asked of the real Terraform, the provider built anew, types by each way to resolve them, pages with Terraform but for its example',
    },
    {
      name: 'shapes',
      tests: 'each report with each reader, each command with each fault, and values that redact hides',
    },
  ],
}

/** What this run does without, beside the tools. */
export function leftOut(): readonly Left[] {
  const suite = suiteOfRun()
  return [
    ...(suite === 'plain' ? deeper.ci : []),
    ...(suite === 'plain' || suite === 'ci' ? deeper.full : []),
  ]
}

/** The services that this run talks to beside the documented one. */
export function servicesOfRun(): readonly string[] {
  switch (suiteOfRun()) {
    case 'ci':
    case 'full':
      return onEachService.services
    default:
      return []
  }
}

/** The files that this run has once more on a service. */
export function serviceFiles(service: string): Pick<TestFiles, 'starting' | 'sharing'> {
  const { files: differing, filesOfToday, filesInFull } = onEachService
  const files = [
    ...differing,
    ...(isFull() || service === 'posthog-2026' ? filesOfToday : []),
    ...(isFull() ? filesInFull : []),
  ]
  const { starting, sharing } = parted(globSync(files, { cwd: root }))
  return { starting, sharing }
}

const unitFolders = [
  'api',
  'architecture',
  'core',
  'hcl',
  'model',
  'report',
  'rules',
  'schema',
  'services',
  'targeting',
  'yaml',
]

/** The test files of this run, in groups that run one after the other. */
export interface TestFiles {
  /** Those that start many processes: each costs as much as the memory of the process that starts it. */
  readonly starting: string[]
  /** Those that share what they load. */
  readonly sharing: string[]
  /** Those that replace modules. */
  readonly replacing: string[]
}

export function testFiles(): TestFiles {
  const suite = suiteOfRun()
  const folders = suite === 'unit' ? unitFolders : ['**']
  const without: readonly Left[] = [...tools.filter(({ name }) => isWithout(name)), ...leftOut()]
  const all = globSync(
    folders.map(folder => `test/${folder}/**/*.test.ts`),
    { cwd: root, ignore: without.flatMap(({ files = [] }) => [...files]) },
  )
  const found = suite === 'laws' ? all.filter(file => /\bfc\.assert\(|\brounds\(/.test(textOf(file))) : all
  const replacing = found.filter(file => /\bvi\.(do)?mock\(/i.test(textOf(file)))
  const others = found.filter(file => !replacing.includes(file))
  return { ...parted(others), replacing }
}

function parted(files: readonly string[]): Pick<TestFiles, 'starting' | 'sharing'> {
  const starts = (file: string) =>
    /from '[./]+(?:git\/repository|(?:[\w-]+\/)*(?:clones|play-month|a-company|pipelines\/[\w/-]+))\.ts'/.test(
      textOf(file),
    )
  return { starting: files.filter(starts), sharing: files.filter(file => !starts(file)) }
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function isOnPath(command: string, harmless: string): boolean {
  return spawnSync(command, [harmless], { stdio: 'ignore' }).status === 0
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch (error) {
    // What does not export its manifest is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
  }
}
