import { argv, exit } from 'node:process'
import {
  type Answers,
  answersOf,
  differences,
  type Range,
  readRecorded,
  withRun,
  writeRecorded,
} from './answers.ts'
import { askSdk } from './ask-sdk.ts'
import { hasRuntime, installSdk, sdks } from './sdks.ts'

/*
 * npm run sdks -- [--write] [NAME@VERSION ...]
 *
 * Runs SDKs over the cases of cases.jsonl and prints what they answer otherwise than answers.json has: of each SDK the
 * newest version that is recorded, or those that are named. `--write` records them. Exits with 1 if anything differs.
 */
const words = argv.slice(2)
const isWriting = words.includes('--write')
const { notDecided, sdks: recorded } = readRecorded()
const ranges: Record<string, readonly Range[]> = { ...recorded }
const named = words.filter(word => word !== '--write')
const wanted = named.length > 0 ? named : Object.keys(sdks).map(name => `${name}@${ranges[name]![0]!.to}`)
let differing = 0

for (const each of wanted) {
  const [name, version] = each.split('@')
  const sdk = sdks[name ?? '']
  if (!sdk || !name || !version)
    throw new Error(`"${each}" is not NAME@VERSION; names: ${Object.keys(sdks).join(', ')}`)
  if (!hasRuntime(sdk)) {
    console.log(`${name} ${version}: not run, ${sdk.runtime[0]} is not on the PATH`)
    continue
  }
  try {
    const folder = installSdk(name, version)
    const answers = await askSdk(questions => sdk.command(folder, questions))
    printDifferences(`${name} ${version}`, answers, answersOf(ranges[name] ?? [], version))
    if (isWriting)
      ranges[name] = withRun(ranges[name] ?? [], version, new Date().toISOString().slice(0, 10), answers)
  } catch (error) {
    console.log(`${name} ${version}: failed\n${error instanceof Error ? error.message : error}`)
    differing += 1
  }
}
if (isWriting) writeRecorded({ notDecided, sdks: ranges })
exit(differing > 0 ? 1 : 0)

function printDifferences(title: string, answers: Answers, expected: Answers): void {
  const ids = differences(answers, expected)
  console.log(`${title}: ${answers.size - ids.length} of ${answers.size} as recorded`)
  for (const id of ids) console.log(`  ${id}: ${expected.get(id) ?? 'not recorded'} -> ${answers.get(id)}`)
  differing += ids.length
}
