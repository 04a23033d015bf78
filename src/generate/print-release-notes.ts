import { ReleaseNotesError, releaseNotes } from './release-notes.ts'

const [tag = ''] = process.argv.slice(2)

try {
  process.stdout.write(await releaseNotes({ directory: process.cwd(), env: process.env }, tag))
} catch (error) {
  if (!(error instanceof ReleaseNotesError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
