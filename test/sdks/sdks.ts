import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'

/** How one SDK is installed and asked. */
interface Sdk {
  readonly runtime: readonly [string, ...string[]]
  /** Files of the folder it is installed in, by name. */
  readonly files?: (version: string) => Readonly<Record<string, string>>
  /** The driver, when it belongs into that folder. */
  readonly driver?: readonly [from: string, to: string]
  readonly install: (version: string) => readonly (readonly string[])[]
  readonly command: (folder: string, questions: string) => readonly string[]
}

const drivers = join(import.meta.dirname, 'drivers')

/** The command that asks posthog-node in a folder of `node_modules`. */
export function askNode(folder: string, questions: string): readonly string[] {
  return [execPath, join(drivers, 'node.mjs'), questions, folder]
}

export const sdks: Readonly<Record<string, Sdk>> = {
  'posthog-node': {
    runtime: ['npm', '--version'],
    install: version => [
      ['npm', 'install', '--prefix', '.', '--no-audit', '--no-fund', `posthog-node@${version}`],
    ],
    command: (folder, questions) => askNode(join(folder, 'node_modules/posthog-node'), questions),
  },
  'posthog-python': {
    runtime: ['python3', '--version'],
    install: version => [
      ['python3', '-m', 'pip', 'install', '--quiet', '--target', '.', `posthog==${version}`],
    ],
    command: (folder, questions) => ['python3', join(drivers, 'python.py'), questions, folder],
  },
  'posthog-go': {
    runtime: ['go', 'version'],
    driver: ['main.go', 'main.go'],
    files: version => ({
      'go.mod': `module sdk\n\ngo 1.21\n\nrequire github.com/posthog/posthog-go v${version}\n`,
    }),
    install: () => [
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'sdk', '.'],
    ],
    command: (folder, questions) => [join(folder, 'sdk'), questions],
  },
  'posthog-rs': {
    runtime: ['cargo', '--version'],
    driver: ['main.rs', 'src/main.rs'],
    files: version => ({
      'Cargo.toml': [
        '[package]\nname = "sdk"\nversion = "0.0.0"\nedition = "2021"\n[profile.dev]\ndebug = false\n[dependencies]',
        `posthog-rs = "=${version}"\nserde = "1"\nserde_json = "1"`,
        'tokio = { version = "1", features = ["macros", "rt-multi-thread"] }\n',
      ].join('\n'),
    }),
    // Versions share what they have in common.
    install: () => [
      [
        'cargo',
        'install',
        '--quiet',
        '--debug',
        '--path',
        '.',
        '--root',
        '.',
        '--target-dir',
        '../cargo-target',
      ],
    ],
    command: (folder, questions) => [join(folder, 'bin/sdk'), questions],
  },
  'posthog-server': {
    runtime: ['mvn', '--version'],
    driver: ['Main.java', 'Main.java'],
    files: version => ({
      'pom.xml': [
        '<project><modelVersion>4.0.0</modelVersion><groupId>sdk</groupId><artifactId>sdk</artifactId>',
        '<version>1</version><dependencies><dependency><groupId>com.posthog</groupId>',
        `<artifactId>posthog-server</artifactId><version>${version}</version></dependency></dependencies></project>`,
      ].join('\n'),
    }),
    install: () => [
      ['mvn', '--quiet', 'dependency:copy-dependencies', '-DoutputDirectory=lib'],
      ['javac', '-cp', 'lib/*', 'Main.java'],
    ],
    command: (folder, questions) => ['java', '-cp', [folder, `${folder}/lib/*`].join(':'), 'Main', questions],
  },
}

export function hasRuntime({ runtime: [program, ...words] }: Sdk): boolean {
  return spawnSync(program, words, { stdio: 'ignore' }).status === 0
}

/** The folder with that version, which is installed unless an earlier run did it. */
export function installSdk(name: string, version: string): string {
  const { files, driver, install } = sdks[name]!
  // A changed driver is built again.
  const content = driver ? hash('sha1', readFileSync(join(drivers, driver[0]))).slice(0, 8) : 'plain'
  const folder = join(tmpdir(), 'vexil-sdks', `${name}-${version}-${content}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished`
  const write = (path: string) => {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true })
    return join(unfinished, path)
  }
  write('.')
  mkdirSync(unfinished, { recursive: true })
  for (const [path, text] of Object.entries(files?.(version) ?? {})) writeFileSync(write(path), text)
  if (driver) copyFileSync(join(drivers, driver[0]), write(driver[1]))
  for (const [program, ...words] of install(version))
    execFileSync(program!, words, { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] })
  renameSync(unfinished, folder)
  return folder
}
